import type { DeliveryLog, ServiceClient } from "@tillkit/client";
import { color } from "../../command-line/color.ts";
import type { Command } from "../../command-line/command.ts";
import { formatTime } from "../../command-line/format-time.ts";
import { stopSignal, waitFor } from "../../command-line/stop-signal.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { isoTime, parseLimit, rowOptions } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";

const POLL_MS = 2_000;
/** How many logs `--follow` reads at a time: as many attempts can happen between two reads without one being missed. */
const LOGS_PER_READ = 100;

export const logs: Command = {
  name: "logs",
  summary: "Show how webhooks were delivered, one line for each attempt; --follow continues live",
  positionals: [],
  options: {
    webhook: { value: "endpoint", description: "only this endpoint; the default is all endpoints" },
    failed: { description: "only attempts that failed" },
    follow: { description: "print new attempts as they happen, until Ctrl-C" },
    ...rowOptions,
    ...requiredServiceOptions,
  },
  example: "tillkit logs --failed --follow",
  async run(args, terminal) {
    const { flags, values } = args;
    const limit = parseLimit(args);
    const client = await openRequiredService(args);
    const follow = flags.has("follow");
    const filter = { limit: follow ? Math.max(limit, LOGS_PER_READ) : limit, failed: flags.has("failed") };
    const read = () => readLogs(client, values.get("webhook"), filter);
    const stop = stopSignal();
    const first = await read();
    // With --follow more logs are read than --limit allows to print at first. The older ones count as printed.
    const seen = new Set(first.slice(0, -limit).map(({ id }) => id));
    const print = (found: readonly DeliveryLog[]) => printNew(found, seen, flags.has("json"), terminal);
    print(first);
    if (first.length === 0 && !follow && !flags.has("json")) terminal.log("No webhook was sent yet.");
    while (follow && !stop.aborted) {
      await waitFor(POLL_MS, stop);
      if (!stop.aborted) print(await read());
    }
  },
};

type LogFilter = { readonly limit: number; readonly failed: boolean };

/** The newest logs, oldest first. */
async function readLogs(
  client: ServiceClient,
  webhookId: string | undefined,
  { limit, failed }: LogFilter,
): Promise<readonly DeliveryLog[]> {
  const ids = webhookId === undefined ? await endpointIds(client) : [webhookId];
  const query = { limit: Math.min(limit, 100), ...(failed ? { failed } : {}) };
  const lists = await Promise.all(ids.map((id) => client.webhooks.logs(id, query).toArray({ limit })));
  const newest = lists.flat().sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  return newest.slice(-limit);
}

async function endpointIds(client: ServiceClient): Promise<readonly string[]> {
  const endpoints = await client.webhooks.list().toArray({ limit: 1_000 });
  return endpoints.flatMap(({ id }) => (id === undefined ? [] : [id]));
}

function printNew(found: readonly DeliveryLog[], seen: Set<string>, json: boolean, terminal: Terminal): void {
  for (const log of found) {
    if (seen.has(log.id)) continue;
    seen.add(log.id);
    terminal.log(json ? JSON.stringify(rowOf(log)) : lineOf(log));
  }
}

function lineOf({
  id,
  webhookId,
  eventType,
  attemptNumber,
  responseStatus,
  success,
  error,
  createdAt,
}: DeliveryLog): string {
  const answer = color(String(responseStatus ?? error ?? "no answer"), success === true);
  const event = (eventType ?? "").padEnd(20);
  return `${formatTime(createdAt ?? 0)}  ${event}  attempt ${attemptNumber ?? "–"}  ${answer}  ${webhookId}  log ${id}`;
}

function rowOf(log: DeliveryLog) {
  const { id, webhookId, eventType, eventId, attemptNumber, responseStatus, success, error, durationMs, createdAt } =
    log;
  return {
    created: isoTime(createdAt),
    id,
    webhook: webhookId ?? null,
    event: eventType ?? null,
    eventId: eventId ?? null,
    attempt: attemptNumber ?? null,
    success: success ?? null,
    status: responseStatus ?? null,
    error: error === undefined ? null : String(error),
    durationMs: durationMs ?? null,
  };
}
