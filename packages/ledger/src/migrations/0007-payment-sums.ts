import type { Migration } from "@tillkit/sql";

type Dialect = { readonly integer: string; readonly dropTriggers: string; readonly triggers: string };

const SUMS = ["received", "returned", "leaving", "disputed"] as const;
const COLUMNS = `hour, store_id, environment, currency, state, method, count, ${SUMS.join(", ")}`;

/** The values of `COLUMNS` for the row `row` of `tillkit_payments`, added (1) or taken away (-1). */
const valuesOf = (row: "old" | "new", sign: 1 | -1) =>
  `${row}.created_at / 3600000, ${row}.store_id, ${row}.environment, coalesce(${row}.sum_currency, ${row}.amount_due_currency),
    ${row}.state, coalesce(${row}.method, ''), ${sign}, ${SUMS.map((sum) => `${sign} * ${row}.sum_${sum}`).join(", ")}`;

const countedColumns = (row: "old" | "new") =>
  [
    "created_at",
    "store_id",
    "environment",
    "amount_due_currency",
    "sum_currency",
    "state",
    "method",
    ...SUMS.map((sum) => `sum_${sum}`),
  ].map((column) => `${row}.${column}`);

const insertChange = (row: "old" | "new", sign: 1 | -1) =>
  `insert into tillkit_payment_changes (${COLUMNS}) values (${valuesOf(row, sign)});`;

const isChangedInSqlite = countedColumns("old")
  .map((column, index) => `${column} is not ${countedColumns("new")[index]}`)
  .join(" or ");

const SQLITE: Dialect = {
  integer: "integer",
  dropTriggers: `
drop trigger tillkit_payment_added;
drop trigger tillkit_payment_changed;
drop trigger tillkit_payment_removed;`,
  triggers: `
create trigger tillkit_payment_added after insert on tillkit_payments begin
  ${insertChange("new", 1)}
end;
create trigger tillkit_payment_changed after update on tillkit_payments when ${isChangedInSqlite} begin
  ${insertChange("old", -1)}
  ${insertChange("new", 1)}
end;
create trigger tillkit_payment_removed after delete on tillkit_payments begin
  ${insertChange("old", -1)}
end;
`,
};

const POSTGRES: Dialect = {
  integer: "bigint",
  dropTriggers: `
drop trigger tillkit_payment_added_or_removed on tillkit_payments;
drop trigger tillkit_payment_changed on tillkit_payments;`,
  triggers: `
create or replace function tillkit_count_payment() returns trigger language plpgsql as $body$
begin
  if tg_op <> 'INSERT' then
    ${insertChange("old", -1)}
  end if;
  if tg_op <> 'DELETE' then
    ${insertChange("new", 1)}
  end if;
  return null;
end
$body$;
create trigger tillkit_payment_added_or_removed after insert or delete on tillkit_payments
  for each row execute function tillkit_count_payment();
create trigger tillkit_payment_changed after update on tillkit_payments
  for each row when ((${countedColumns("old").join(", ")}) is distinct from (${countedColumns("new").join(", ")}))
  execute function tillkit_count_payment();
`,
};

const addSums = (table: string, prefix: string, integer: string) =>
  SUMS.map((sum) => `alter table ${table} add column ${prefix}${sum} ${integer} not null default 0;`).join("\n");

// `sum_currency` is null in a payment whose equation is not stored yet. Only code can compute it, so a migration does not. Payments
// without any money need no equation. The triggers come last, so that they log nothing of this migration.
const migration = ({ integer, dropTriggers, triggers }: Dialect) => `
${dropTriggers}
alter table tillkit_payments add column sum_currency text;
${addSums("tillkit_payments", "sum_", integer)}
update tillkit_payments set sum_currency = amount_due_currency
  where state in ('intent', 'open', 'expired', 'closed', 'superseded') and amount_received_minor is null
    and not exists (select 1 from tillkit_transactions where payment_id = tillkit_payments.id)
    and not exists (select 1 from tillkit_refunds where payment_id = tillkit_payments.id)
    and not exists (select 1 from tillkit_disputes where payment_id = tillkit_payments.id);
create index tillkit_payments_without_sums on tillkit_payments (sequence) where sum_currency is null;
alter table tillkit_payment_changes drop column amount;
alter table tillkit_payment_hours drop column amount;
${addSums("tillkit_payment_changes", "", integer)}
${addSums("tillkit_payment_hours", "", integer)}
${triggers}
`;

/** The figures count what the equation of each payment says, no longer the amounts due. */
export const PAYMENT_SUMS: Migration = {
  name: "0007-payment-sums",
  sqlite: migration(SQLITE),
  postgres: migration(POSTGRES),
};
