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

export const migrations: MigrationHistory = {
  owner: "sandbox",
  steps: [
    { name: "001-first", sqlite: [paymentSchema, webhookSchema, operatorSchema, moneySchema].join("\n") },
    { name: "002-evidence-and-keys", sqlite: evidenceAndKeys },
  ],
};
