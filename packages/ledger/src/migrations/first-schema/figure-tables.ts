import type { Dialect } from "../dialect.ts";

/** The sums of a payment's equation. */
export const SUMS = ["received", "returned", "leaving", "disputed"] as const;

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

const SQLITE_TRIGGERS = `
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
`;

const POSTGRES_TRIGGERS = `
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
`;

/** Log each change of a payment, whoever writes it; the ledger adds the logged changes to the hours later. */
export function figureTriggers({ isSqlite }: Dialect): string {
  return isSqlite ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS;
}

/** Counts and sums of payments by hour. */
export const figureTables = ({ sequence, integer, key, table, keyedTable }: Dialect) => `
create table tillkit_payment_changes (
  sequence ${sequence},
  hour ${integer} not null,
  store_id ${key} not null,
  environment text not null,
  currency text not null,
  state text not null,
  method text not null,
  count ${integer} not null,
  ${SUMS.map((sum) => `${sum} ${integer} not null default 0`).join(",\n  ")}
)${table};
create table tillkit_payment_hours (
  store_id ${key} not null,
  hour ${integer} not null,
  environment text not null,
  currency text not null,
  state text not null,
  method text not null,
  count ${integer} not null,
  ${SUMS.map((sum) => `${sum} ${integer} not null default 0`).join(",\n  ")},
  primary key (store_id, hour, environment, currency, state, method)
)${keyedTable};
create index tillkit_payment_hours_empty on tillkit_payment_hours (hour) where count = 0;
`;
