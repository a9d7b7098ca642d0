import { psql } from "./psql.ts";

/** One payment has two deliveries and five timeline entries, as a checkout that its webhook alone completes. */
export const ROWS_PER_PAYMENT = 7;
/** One of so many payments is held. */
export const PAYMENTS_PER_HELD_PAYMENT = 300;

export const MONTHS = 12;
/** The newest months, whose bodies and requests are not pruned yet. The first of them is older than 90 days. */
const MONTHS_WITH_BODIES = 4;
const BEGIN = Date.UTC(2026, 0, 1);
const HISTORY_TABLES = ["tillkit_payments", "tillkit_deliveries", "tillkit_timeline"];

/** The first millisecond of a month; 0 is January 2026, and 12 the time of the measurement. */
export function beginOfMonth(month: number): number {
  return Date.UTC(2026, month, 1);
}

/** The numbers of the payments of a month, of `payments` in a year. */
export function paymentsOfMonth(payments: number, month: number): { readonly from: number; readonly to: number } {
  const numberAt = (time: number) => Math.ceil((time - BEGIN) / stepOf(payments));
  return { from: numberAt(beginOfMonth(month)), to: numberAt(beginOfMonth(month + 1)) };
}

/** The id of the payment `n`, as SQL. */
const PAYMENT_ID = "md5('payment ' || n)";

/**
 * Fills twelve months of payments in even intervals, with their deliveries and timelines. Payments are held or final. Indexes are made
 * at the end. The figures of the overview are left out: nothing measured here reads them.
 */
export async function fillHistory(url: string, payments: number, progress: (line: string) => void): Promise<void> {
  await psql(url, "alter system set max_wal_size = '4GB'");
  await psql(url, "alter table tillkit_payments disable trigger user; select pg_reload_conf()");
  const indexes = (await psql(url, INDEXES)).map((line) => line.split("\t"));
  await psql(url, indexes.map(([, drop]) => drop).join(";"));
  for (let month = 0; month < MONTHS; month += 1) {
    await fillMonth(url, payments, month);
    progress(`filled month ${month + 1} of ${MONTHS}`);
  }
  for (const [create] of indexes) await psql(url, `${FAST_INDEXES} ${create}`);
  progress("made the indexes");
  await psql(url, "alter table tillkit_payments enable trigger user");
  for (const table of HISTORY_TABLES) await psql(url, `vacuum (analyze) ${table}`);
  await psql(url, "checkpoint");
}

/** Selects the statement that creates and the statement that drops each index of the history's tables. */
const INDEXES = `
  select coalesce('alter table ' || c.conrelid::regclass || ' add constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid),
      pg_get_indexdef(i.indexrelid)),
    coalesce('alter table ' || c.conrelid::regclass || ' drop constraint ' || c.conname, 'drop index ' || i.indexrelid::regclass)
  from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
  where i.indrelid in (${HISTORY_TABLES.map((table) => `'${table}'::regclass`).join(", ")})`;

export const FAST_INDEXES = "set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2;";

/** Adds the rows of one month. A month after the twelfth follows the others without a gap. */
export async function fillMonth(url: string, payments: number, month: number): Promise<void> {
  const { from, to } = paymentsOfMonth(payments, month);
  const hasBodies = month >= MONTHS - MONTHS_WITH_BODIES;
  await psql(url, `set synchronous_commit = off; ${statements({ payments, from, to, hasBodies })}`);
}

function stepOf(payments: number): number {
  return (beginOfMonth(MONTHS) - BEGIN) / payments;
}

type Part = { readonly payments: number; readonly from: number; readonly to: number; readonly hasBodies: boolean };

function statements({ payments, from, to, hasBodies }: Part): string {
  const at = `(${BEGIN} + n * ${stepOf(payments)}::numeric)::bigint`;
  const id = PAYMENT_ID;
  const numbers = `generate_series(${from}, ${to - 1}) n`;
  const request = hasBodies ? "repeat(md5('request ' || n), 12)" : "''";
  const body = hasBodies ? "decode(repeat(md5('body ' || n || event.name), 44), 'hex')" : "''";
  return `
    insert into tillkit_payments (id, store_id, order_id, attempt, environment, credential_id, created_at, amount_due_minor,
      amount_due_currency, wire_amount, request, reference, session_id, session_url, session_expires_at, transaction_id, state,
      version, checks, store_tries, order_number, method, wire_fee, wire_net, succeeded_at, recorded_at, transaction_code)
    select ${id}, 'store-' || n % 97, n, '', 'live', 'credential-1', ${at}, 5000, 'XOF', 5000, ${request},
      ${id} || '.0123456789abcdef', 'cs-' || ${id}, ${hasBodies ? `'https://pay.example/cs_' || n` : "''"}, ${at} + 3600000,
      'txn-' || ${id}, case when n % ${PAYMENTS_PER_HELD_PAYMENT} = 7 then 'review' else 'recorded' end, 5, 2, 0, n,
      case n % 3 when 0 then 'WAVE' when 1 then 'CARD' else 'MTN' end, 125, 4875, ${at} + 60000, ${at} + 61400, 'txn_' || n
    from ${numbers};
    insert into tillkit_deliveries (endpoint_id, digest, body, received_at, outcome, payment_id, processed_at, event, event_at, attempts)
    select 'endpoint-1', md5(event.name || n) || md5(n || event.name), ${body}, ${at} + event.after, 'processed', ${id},
      ${at} + event.after + 40, event.name, ${at} + event.after - 700, 1
    from ${numbers}, (values ('PAYMENT_CREATED', 20000), ('PAYMENT_SUCCEEDED', 60000)) event (name, after);
    insert into tillkit_timeline (payment_id, at, actor, kind, detail)
    select ${id}, ${at} + entry.after, entry.actor, entry.kind, entry.detail
    from ${numbers}, (values ('started', 0, 'shopper', ''), ('opened', 900, 'shopper', ''),
      ('acted', 20040, 'shopper', 'd1a94b37-3c25-4f0e-9f57-6d8f6f0f1c11'), ('paid', 60040, 'webhook', ''),
      ('recorded', 61400, 'webhook', 'read-back')) entry (kind, after, actor, detail);`;
}
