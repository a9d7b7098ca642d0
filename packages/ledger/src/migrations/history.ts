import type { MigrationHistory } from "@tillkit/sql";
import { FIRST_TABLES } from "./0001-first-tables.ts";
import { OPERATORS_AND_BUDGETS } from "./0002-operators-and-budgets.ts";
import { SECRETS } from "./0003-secrets.ts";
import { RECEIVED_MONEY } from "./0004-received-money.ts";
import { DISPUTES } from "./0005-disputes.ts";

/** Every step that a ledger ever took, oldest first. A published step never changes. */
export const HISTORY: MigrationHistory = {
  owner: "tillkit-ledger",
  steps: [FIRST_TABLES, OPERATORS_AND_BUDGETS, SECRETS, RECEIVED_MONEY, DISPUTES],
};
