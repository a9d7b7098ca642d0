import type { MigrationHistory } from "@tillkit/sql";
import { FIRST_TABLES } from "./0001-first-tables.ts";
import { ORDER_NUMBERS } from "./0002-order-numbers.ts";
import { WHAT_OPERATORS_READ } from "./0003-what-operators-read.ts";
import { PAYMENT_HOURS } from "./0004-payment-hours.ts";
import { TRACEPARENTS } from "./0005-traceparents.ts";
import { MOVEMENTS } from "./0006-movements.ts";
import { PAYMENT_SUMS } from "./0007-payment-sums.ts";
import { UNMATCHED_DELIVERIES } from "./0008-unmatched-deliveries.ts";
import { HOST_JOBS } from "./0009-host-jobs.ts";
import { CREDENTIALS } from "./0010-credentials.ts";

/** All migrations of the ledger, oldest first. A published migration never changes. */
export const HISTORY: MigrationHistory = {
  owner: "tillkit-ledger",
  steps: [
    FIRST_TABLES,
    ORDER_NUMBERS,
    WHAT_OPERATORS_READ,
    PAYMENT_HOURS,
    TRACEPARENTS,
    MOVEMENTS,
    PAYMENT_SUMS,
    UNMATCHED_DELIVERIES,
    HOST_JOBS,
    CREDENTIALS,
  ],
};
