import type { Migration } from "@tillkit/sql";

const SHARED = (integer: string, text: string) => `
alter table tillkit_payments add column received_minor ${integer};
alter table tillkit_payments add column received_currency ${text};
alter table tillkit_refunds add column asked_at ${integer} not null default 0;
alter table tillkit_refunds add column read_only_since ${integer};
alter table tillkit_refunds add column other_keys text not null default '[]';

-- What is known of older rows: what arrived stood in the finding or its waiver, a refund is as old as its payment at most, and
-- one that is still in doubt is settled by reading it.
update tillkit_refunds set asked_at = coalesce(
  (select created_at from tillkit_payments where tillkit_payments.id = tillkit_refunds.payment_id), 0);
`;

/** What arrived for a payment; when a refund was asked for, and since when it is only read. */
export const RECEIVED_MONEY: Migration = {
  name: "0004-received-money",
  sqlite: `${SHARED("integer", "text")}
update tillkit_payments set received_currency = owed_currency, received_minor = cast(
    case when json_extract(finding, '$.code') = 'amount_differs' then json_extract(finding, '$.found')
      else json_extract(waiver, '$.finding.found') end as integer)
  where json_extract(finding, '$.code') = 'amount_differs'
    or json_extract(waiver, '$.finding.code') = 'amount_differs';
update tillkit_payments set received_currency = owed_currency, received_minor = owed_minor
  where received_minor is null and state in ('verified', 'recorded', 'review', 'duplicate', 'refunding', 'refunded');
`,
  postgres: `${SHARED("bigint", 'text collate "C"')}
update tillkit_payments set received_currency = owed_currency, received_minor = cast(split_part(
    case when finding::json->>'code' = 'amount_differs' then finding::json->>'found'
      else waiver::json->'finding'->>'found' end, ' ', 1) as bigint)
  where finding::json->>'code' = 'amount_differs' or waiver::json->'finding'->>'code' = 'amount_differs';
update tillkit_payments set received_currency = owed_currency, received_minor = owed_minor
  where received_minor is null and state in ('verified', 'recorded', 'review', 'duplicate', 'refunding', 'refunded');
`,
};
