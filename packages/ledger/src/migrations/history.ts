import type { MigrationHistory } from "@tillkit/sql";
import { forBoth } from "./dialect.ts";
import { figureTables, figureTriggers } from "./first-schema/figure-tables.ts";
import { paymentTables } from "./first-schema/payment-tables.ts";
import { recordTables } from "./first-schema/record-tables.ts";
import { workTables } from "./first-schema/work-tables.ts";
import { FROM_0006, FROM_0011 } from "./upgrade-from-0006.ts";

/** All migrations of the ledger, oldest first. A published migration never changes. */
export const HISTORY: MigrationHistory = {
  owner: "tillkit-ledger",
  steps: [
    {
      name: "0001-first-schema",
      ...forBoth((dialect) =>
        [paymentTables, figureTables, figureTriggers, workTables, recordTables].map((sqlOf) => sqlOf(dialect)).join(""),
      ),
    },
  ],
  upgrades: [FROM_0006, FROM_0011],
};
