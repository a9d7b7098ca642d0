import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { parseEvent } from "@tillkit/client/webhooks";
import { expect, it, onTestFinished } from "vitest";
import { type LoggedEvent, type Service, serviceFromClient } from "../../src/hosts.ts";
import { systemClock } from "../../src/index.ts";

const URL_OF_SHOP = "https://shop.example/hooks";
const NOON = Date.parse("2026-03-01T12:00:00.000Z");

type Log = Readonly<Record<string, unknown>>;

/** Log number `index`: its attempt was made `index` minutes before noon. */
function disputeLog(index: number, changes: Log = {}): Log {
  const data = { dispute_id: `dispute-${index}`, transaction_id: "t1", status: "pending" };
  const created_at = new Date(NOON - index * 60_000).toISOString();
  return { id: `log-${index}`, created_at, payload: { event: "DISPUTE_CREATED", data }, ...changes };
}

type OpenService = { readonly service: Service; readonly asked: string[] };

/** A service with one webhook endpoint, whose delivery logs it returns in pages. */
async function openService(logs: readonly Log[]): Promise<OpenService> {
  const asked: string[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const { pathname, searchParams, search } = new URL(request.url ?? "", "http://service");
    const [limit, offset] = ["limit", "offset"].map((name) => Number(searchParams.get(name) ?? 0));
    const isLogs = pathname.endsWith("/wh_1/logs");
    if (isLogs) asked.push(search);
    const endpoints = [
      { id: "wh_2", url: "https://other.example" },
      { id: "wh_1", url: URL_OF_SHOP },
    ];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isLogs ? logs.slice(offset, (offset ?? 0) + (limit ?? 0)) : endpoints));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createServiceClient({ apiKey: `svc_sk_test_${"a".repeat(32)}`, baseUrl });
  return { service: serviceFromClient(client, systemClock), asked };
}

async function eventsSince({ service }: OpenService, since: number, url = URL_OF_SHOP): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for await (const logged of service.listDeliveredEvents({ url, since, deadlineMs: 5_000 })) found.push(logged);
  return found;
}

it("delivered events are read page by page, newest first, as far back as was asked", async () => {
  const opened = await openService(Array.from({ length: 250 }, (_, index) => disputeLog(index)));
  const all = await eventsSince(opened, 0);
  expect(all.map(({ payload }) => parseEvent(payload)?.disputeId)).toEqual(
    Array.from({ length: 250 }, (_, at) => `dispute-${at}`),
  );
  expect(all[1]?.at).toBe(NOON - 60_000);
  expect(opened.asked).toEqual(["?limit=100", "?limit=100&offset=100", "?limit=100&offset=200"]);
  expect(await eventsSince(opened, NOON - 120_000)).toHaveLength(3);
  expect(opened.asked).toHaveLength(4);
});

it("a log without a readable event is passed over, and a log without a time has the time of its event", async () => {
  const timestamp = "2026-03-01T11:58:30.000Z";
  const payload = { event: "DISPUTE_CLOSED", timestamp, data: { dispute_id: "dispute-1" } };
  const opened = await openService([
    disputeLog(0, { payload: "no event" }),
    disputeLog(1, { payload, created_at: undefined }),
    disputeLog(2),
  ]);
  const found = await eventsSince(opened, 0);
  expect(found.map(({ payload: { event }, at }) => [event, at])).toEqual([
    ["DISPUTE_CLOSED", Date.parse(timestamp)],
    ["DISPUTE_CREATED", NOON - 120_000],
  ]);
});

it("an address that has no endpoint has no events", async () => {
  expect(await eventsSince(await openService([disputeLog(0)]), 0, "https://gone.example")).toEqual([]);
});

it("a service that cannot answer is reported as an outage", async () => {
  const client = createServiceClient({ apiKey: `svc_sk_test_${"a".repeat(32)}`, baseUrl: "http://127.0.0.1:9" });
  const service = serviceFromClient(client, systemClock);
  const events = service.listDeliveredEvents({ url: URL_OF_SHOP, since: 0, deadlineMs: 200 });
  await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "service_unavailable" });
});
