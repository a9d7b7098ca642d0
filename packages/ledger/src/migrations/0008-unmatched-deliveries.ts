import type { Migration } from "@tillkit/sql";

const steps = (key: string) => `
alter table tillkit_deliveries add column transaction_id ${key};
create index tillkit_deliveries_unmatched on tillkit_deliveries (transaction_id) where transaction_id is not null;
`;

/** The transaction that an event of a refund or a dispute named while nothing tied it to a payment. */
export const UNMATCHED_DELIVERIES: Migration = {
  name: "0008-unmatched-deliveries",
  sqlite: steps("text"),
  postgres: steps('text collate "C"'),
};
