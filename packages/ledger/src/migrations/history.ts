import type { MigrationHistory } from "@tillkit/sql";
import { forBoth } from "./dialect.ts";
import { figureTables, figureTriggers } from "./first-schema/figure-tables.ts";
import { paymentTables } from "./first-schema/payment-tables.ts";
import { recordTables } from "./first-schema/record-tables.ts";
import { workTables } from "./first-schema/work-tables.ts";
import { FROM_0006, FROM_0011 } from "./upgrade-from-0006.ts";

/** Every list of the operators' pages is of test or of live payments, so the indexes of states begin with the environment. */
const MODES = `
drop index tillkit_payments_of_state;
create index tillkit_payments_of_state on tillkit_payments (environment, state, created_at, sequence);
drop index tillkit_payments_of_store;
create index tillkit_payments_of_store on tillkit_payments (store_id, environment, state, created_at, sequence);
`;

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
    { name: "0002-modes", ...forBoth(() => MODES) },
  ],
  upgrades: [FROM_0006, FROM_0011],
};
