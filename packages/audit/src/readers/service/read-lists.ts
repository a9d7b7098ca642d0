import { auditLimits } from "../../limits.ts";
import type { NewFact } from "../../store/fact-store.ts";
import { parseMovement, parseRefund } from "./parse-movements.ts";
import { gaps, merge, type Range } from "./ranges.ts";
import type { ServiceJob } from "./read-service.ts";

type Page = {
  readonly raw: unknown;
  readonly data: { readonly received: number; readonly nextCursor: string | null; readonly totalCount: number | null };
};
type List<Answer extends Page> = {
  readonly name: "transactions" | "refunds";
  load(query: { limit: number; cursor?: string; startDate: string; endDate: string }): PromiseLike<Answer>;
  keep(answer: Answer): Promise<void>;
};

/** Reads what the store does not hold yet of this range. Rows of the last days are read again, because they may have changed. */
export async function readLists(job: ServiceJob, source: string, range: Range): Promise<void> {
  const { client, store, parse, signal } = job;
  await readRange(job, source, range, {
    name: "transactions",
    load: (query) => client.transactions.list(query, { signal }),
    keep: ({ raw, data }) => {
      const rows = rowsById(raw);
      return store.save(
        data.items.flatMap((row): NewFact[] => {
          const fact = parseMovement(row, rows.get(row.id ?? "") ?? {}, parse);
          return fact === null ? [] : [{ kind: fact.kind, id: fact.id, at: fact.at, fact }];
        }),
      );
    },
  });
  await readRange(job, source, range, {
    name: "refunds",
    load: (query) => client.refunds.list(query, { signal }),
    async keep({ data }) {
      const currencies = await currenciesOf(job, data.items);
      const facts = data.items.map((row) => parseRefund(row, (id) => currencies.get(id) ?? null, parse));
      await store.save(
        facts.flatMap((fact): NewFact[] => (fact === null ? [] : [{ kind: "refund", id: fact.id, at: fact.at, fact }])),
      );
      await store.remove(
        "refund",
        data.items.flatMap(({ id, status }) => (status === "failed" && id !== undefined ? [id] : [])),
      );
    },
  });
}

async function readRange<Answer extends Page>(
  job: ServiceJob,
  source: string,
  range: Range,
  list: List<Answer>,
): Promise<void> {
  const { store, call, onProgress, now } = job;
  const settled = now - job.recheckMs;
  const all: Range[] = JSON.parse((await store.mark(`${list.name} done`)) ?? "[]");
  const done = all.map((part) => ({ from: part.from, until: Math.min(part.until, settled) }));
  let rows = 0;
  for (const gap of gaps(range, done)) {
    const cursorMark = `${list.name} cursor ${gap.from}`;
    let cursor = (await store.mark(cursorMark)) || null;
    do {
      const query = { limit: auditLimits.pageRows, startDate: iso(gap.from), endDate: iso(gap.until) };
      const answer = await call(() => list.load(cursor === null ? query : { ...query, cursor }));
      await list.keep(answer);
      rows += answer.data.received;
      cursor = answer.data.nextCursor;
      await store.setMark(cursorMark, cursor ?? "");
      onProgress({ source: `${source}: ${list.name}`, rows, total: answer.data.totalCount });
    } while (cursor !== null);
    const until = Math.min(gap.until, settled);
    const read = JSON.parse((await store.mark(`${list.name} done`)) ?? "[]");
    if (until > gap.from)
      await store.setMark(`${list.name} done`, JSON.stringify(merge(read, { from: gap.from, until })));
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** The rows as the service sent them: the client's rows leave out what only an audit asks for. */
function rowsById(raw: unknown): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const rows = Array.isArray(raw) ? raw : (raw as { data?: unknown }).data;
  if (!Array.isArray(rows)) return new Map();
  return new Map(rows.map((row) => [String(row?.transaction_id ?? row?.id), row ?? {}]));
}

/** Refunds whose rows have no currency have that of their transaction. */
async function currenciesOf(
  { call, client, signal }: ServiceJob,
  rows: readonly { readonly currencyCode?: string | undefined; readonly transactionId?: string | undefined }[],
) {
  const currencies = new Map<string, string>();
  for (const { currencyCode, transactionId } of rows) {
    if (currencyCode !== undefined || transactionId === undefined || currencies.has(transactionId)) continue;
    const { data } = await call(() => client.transactions.read(transactionId, { signal }));
    if (data.currencyCode !== undefined) currencies.set(transactionId, data.currencyCode);
  }
  return currencies;
}
