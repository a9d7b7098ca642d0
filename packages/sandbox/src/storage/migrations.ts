import type { MigrationHistory } from "@tillkit/sql";
import { moneySchema } from "./money-schema.ts";
import { operatorSchema } from "./operator-schema.ts";
import { paymentSchema } from "./payment-schema.ts";
import { webhookSchema } from "./webhook-schema.ts";

/** Evidence of disputes, several API keys of one kind, and indexes for disputes and subscriptions that end at a time. */
const evidenceAndKeys = `
alter table disputes add column evidence_json text;
alter table disputes add column evidence_submitted_at integer;
alter table api_keys add column number integer not null default 0;
update api_keys set number = 1 + (select count(*) from api_keys as other
  where other.organization_id = api_keys.organization_id and other.key < api_keys.key);
create index disputes_to_lose on disputes (evidence_due_by) where status = 'pending';
create index keys_of_organization on api_keys (organization_id, environment, kind, number);
create index subscriptions_to_end on subscriptions (status) where end_date is not null or cancel_at_period_end = 1;
`;

/** Disputes that name no amount or no currency. SQLite cannot make a column nullable, so the table is copied. */
const disputesWithoutAmount = `
alter table disputes rename to older_disputes;
create table disputes (
  seq integer primary key, dispute_id text not null unique, transaction_id text not null, organization_id text not null,
  environment text not null, customer_id text, amount integer, currency_code text,
  reason text not null, status text not null, outcome text, evidence_due_by integer not null,
  metadata_json text not null, created_at integer not null, updated_at integer not null,
  evidence_json text, evidence_submitted_at integer
) strict;
insert into disputes select * from older_disputes;
drop table older_disputes;
create index disputes_of_transaction on disputes (transaction_id);
create index disputes_to_lose on disputes (evidence_due_by) where status = 'pending';
`;

export const migrations: MigrationHistory = {
  owner: "sandbox",
  steps: [
    { name: "001-first", sqlite: [paymentSchema, webhookSchema, operatorSchema, moneySchema].join("\n") },
    { name: "002-evidence-and-keys", sqlite: evidenceAndKeys },
    { name: "003-disputes-without-amount", sqlite: disputesWithoutAmount },
  ],
};
