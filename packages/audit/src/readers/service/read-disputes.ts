import { type DeliveryLog, isServiceError, type ServiceDispute } from "@tillkit/client";
import { parseEvent } from "@tillkit/client/webhooks";
import { auditLimits } from "../../limits.ts";
import type { NewFact } from "../../store/fact-store.ts";
import { parseDispute } from "./parse-movements.ts";
import type { ServiceJob } from "./read-service.ts";

type Seen = { readonly dispute: ServiceDispute; readonly log: DeliveryLog };

/**
 * Disputes as the delivery logs of the webhook endpoints carry them: the service has no other route. Returns since when disputes are
 * known, or null when no endpoint is told of them or the key may not read endpoints.
 */
export async function readDisputes(job: ServiceJob, from: number): Promise<number | null> {
  const endpoints = await listEndpoints(job);
  const newest = new Map<string, Seen>();
  let since: number | null = null;
  for (const endpoint of endpoints) {
    const oldest = await readLogs(job, endpoint, from, newest);
    since = since === null ? oldest : Math.min(since, oldest);
  }
  const facts = [...newest.values()].flatMap(({ dispute, log }): NewFact[] => {
    const fact = parseDispute(dispute, log, job.parse);
    return fact === null ? [] : [{ kind: "dispute", id: fact.id, at: fact.at, fact }];
  });
  await job.store.save(facts);
  return since;
}

async function listEndpoints({ call, client, signal }: ServiceJob): Promise<readonly string[]> {
  try {
    const { data } = await call(() => client.webhooks.list({ signal }));
    return data.items.flatMap(({ id, authorizedEvents }) =>
      id !== undefined && (authorizedEvents ?? []).some((event) => event.startsWith("DISPUTE_")) ? [id] : [],
    );
  } catch (error) {
    // A key may be too narrow for webhooks; the report then says that disputes are not shown.
    if (isServiceError(error) && (error.code === "forbidden" || error.code === "not_found")) return [];
    throw error;
  }
}

/** Newest first, until what an earlier reading has seen, the time, or the limit. Returns the time from which on nothing is missing. */
async function readLogs(job: ServiceJob, endpoint: string, from: number, newest: Map<string, Seen>): Promise<number> {
  const { call, client, signal, store, now } = job;
  const [seen, since] = [`logs seen ${endpoint}`, `logs since ${endpoint}`];
  const known = Number((await store.mark(since)) ?? Number.POSITIVE_INFINITY);
  const isKnown = known <= from;
  const stop = isKnown ? Math.max(from, Number((await store.mark(seen)) ?? 0) - OVERLAP_MS) : from;
  const limit = auditLimits.pageRows;
  let oldest = now;
  for (let offset = 0; offset < auditLimits.deliveryLogs && oldest >= stop; offset += limit) {
    const { data } = await call(() => client.webhooks.logs(endpoint, { limit, offset }, { signal }));
    for (const log of data.items) keepNewer(log, newest);
    oldest = data.received < limit ? stop - 1 : (data.items.at(-1)?.createdAt ?? stop - 1);
  }
  const complete = oldest < stop ? Math.min(from, known) : oldest;
  await store.setMark(seen, String(now));
  await store.setMark(since, String(complete));
  return Math.max(complete, from);
}

/** A log may be listed a little after the time that it names. */
const OVERLAP_MS = 3_600_000;

function keepNewer(log: DeliveryLog, newest: Map<string, Seen>): void {
  const event = log.payload === undefined ? null : parseEvent(log.payload);
  const dispute = event !== null && "dispute" in event ? event.dispute : undefined;
  if (dispute === undefined) return;
  const known = newest.get(dispute.id)?.dispute;
  const isNewer = known === undefined || (dispute.updatedAt ?? 0) > (known.updatedAt ?? 0);
  if (isNewer) newest.set(dispute.id, { dispute, log });
}
