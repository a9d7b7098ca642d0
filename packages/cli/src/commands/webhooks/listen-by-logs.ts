import process from "node:process";
import type { DeliveryLog, ServiceClient } from "@tillkit/client";
import { waitFor } from "../../command-line/stop-signal.ts";
import { type IncomingWebhook, isRepeated, isSignedBy } from "./forward.ts";
import type { ListenSession } from "./listen-session.ts";

const POLL_MS = 2_000;
const NEWEST_LOGS = 100;
/** The waits between the attempts of one webhook, equal to the service's own. */
const RETRY_WAITS_MS = [5_000, 10_000, 20_000, 40_000];

/**
 * Forwards what the service sends to a registered endpoint from now on, read from the endpoint's delivery logs. Each event is
 * forwarded once, and repeated after a fault of the receiver as the service repeats it.
 */
export async function listenByLogs(client: ServiceClient, webhookId: string, session: ListenSession): Promise<void> {
  const seen = new Set((await readLogs(client, webhookId)).map(keyOf));
  session.ready({ endpoint: webhookId, secret: null });
  const running = new Set<Promise<void>>();
  while (!session.stopped.aborted) {
    for (const log of (await readLogs(client, webhookId)).reverse()) {
      if (seen.has(keyOf(log)) || session.stopped.aborted) continue;
      seen.add(keyOf(log));
      const work = forwardLog(client, log, session).finally(() => running.delete(work));
      running.add(work);
    }
    await waitFor(POLL_MS, session.stopped);
  }
  await Promise.all(running);
}

// The service writes one log for each attempt, so attempts of one event have several logs.
function keyOf({ id, eventId }: DeliveryLog): string {
  return eventId ?? id;
}

async function readLogs(client: ServiceClient, webhookId: string): Promise<DeliveryLog[]> {
  return client.webhooks.logs(webhookId, { limit: NEWEST_LOGS }).toArray({ limit: NEWEST_LOGS });
}

async function forwardLog(client: ServiceClient, log: DeliveryLog, session: ListenSession): Promise<void> {
  const incoming = incomingOf((await client.deliveryLogs.read(log.id)).raw);
  if (incoming === null) return session.terminal.notice(`The log ${log.id} has no body, so it cannot be forwarded.`);
  const secret = process.env.SERVICE_WEBHOOK_SECRET;
  if (secret && !(await isSignedBy(secret, incoming)))
    session.terminal.notice(`The bytes of the log ${log.id} are not those that SERVICE_WEBHOOK_SECRET signed.`);
  let forwarded = await session.deliver(incoming);
  for (const waitMs of RETRY_WAITS_MS) {
    if (!isRepeated(forwarded) || session.stopped.aborted) return;
    await waitFor(waitMs, session.stopped);
    forwarded = await session.deliver(incoming);
  }
}

/**
 * Rebuilds the webhook of a delivery log, which is answered as an object, as a list of one, or inside `data`. The log holds the body
 * as JSON; the service signed the compact text of this JSON.
 */
function incomingOf(raw: unknown): IncomingWebhook | null {
  const answer = (Array.isArray(raw) ? raw[0] : raw) as { readonly data?: object } | null;
  const log = (answer?.data ?? answer ?? {}) as { readonly payload?: unknown; readonly headers?: object };
  const { payload, headers = {} } = log;
  if (payload === undefined || payload === null) return null;
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const loggedHeaders = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    bytes: Buffer.from(text),
    headers: { "content-type": "application/json", ...Object.fromEntries(loggedHeaders) },
  };
}
