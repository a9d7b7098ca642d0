import type { OrderFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import type { ReadJob } from "./reader.ts";

/** Stores a page. `wasResumed`: earlier pages were read by a run before, so what is missing proves nothing. */
export type Keep = (orders: readonly OrderFact[], wasResumed?: boolean) => Promise<void>;

/**
 * Reads what changed in a shop since it was read last, by the times of the shop's own clock. Once a week, and when an audit looks
 * further back than any before, everything is read: only then it shows which orders were deleted, and those leave the store.
 */
export async function readChanges(
  job: ReadJob,
  from: number,
  read: (since: number, keep: Keep) => Promise<void>,
): Promise<void> {
  const { store, now } = job;
  const [newest, oldest, fullAt] = await Promise.all(
    ["newest change", "read from", "read whole at"].map(async (name) => Number((await store.mark(name)) ?? Number.NaN)),
  );
  const isPartOf =
    (oldest ?? Number.NaN) <= from && now - (fullAt ?? 0) < auditLimits.wholeReadMs && !Number.isNaN(newest);
  const since = isPartOf ? Math.max(from, (newest ?? 0) - auditLimits.graceMs) : from;
  const seen = new Set<string>();
  let latest = isPartOf ? (newest ?? 0) : 0;
  let isWhole = !isPartOf;
  await read(since, async (orders, wasResumed = false) => {
    if (wasResumed) isWhole = false;
    for (const { id, changedAt } of orders) {
      seen.add(id);
      latest = Math.max(latest, changedAt);
    }
    await store.save(orders.map((fact) => ({ kind: "order", id: fact.id, at: fact.createdAt, fact })));
  });
  if (isWhole) await removeMissing(job, seen, since);
  if (latest > 0) await store.setMark("newest change", String(latest));
  if (isPartOf) return;
  await store.setMark("read from", String(from));
  await store.setMark("read whole at", String(now));
}

/** Orders that changed since then and are not there any more were deleted. */
async function removeMissing({ store }: ReadJob, seen: ReadonlySet<string>, since: number): Promise<void> {
  const missing: string[] = [];
  for await (const { id, changedAt } of store.facts<OrderFact>("order"))
    if (!seen.has(id) && changedAt >= since) missing.push(id);
  for (let start = 0; start < missing.length; start += auditLimits.factsPerWrite)
    await store.remove("order", missing.slice(start, start + auditLimits.factsPerWrite));
}
