import { describe, expect, test } from "vitest";
import { type Behavior, responds, respondsWithError, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const transaction = (id: string) => ({ transaction_id: id, status: "completed" });
const page = (ids: string[], nextCursor: string | null): Behavior =>
  responds(200, {
    object: "list",
    data: ids.map(transaction),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
    limit: 2,
    total_count: 3,
  });

async function idsOf(list: AsyncIterable<{ id?: string | undefined }>): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for await (const item of list) ids.push(item.id);
  return ids;
}

describe("iterating over a list", () => {
  test("the iteration follows the cursor to the last page and keeps the filters", async () => {
    const service = await startFaultServer(page(["a", "b"], "b2Zmc2V0"), page(["c"], null));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.transactions.list({ status: "completed", limit: 2 }))).toEqual(["a", "b", "c"]);
    expect(service.received.map((request) => request.url)).toEqual([
      "/transactions?status=completed&limit=2",
      "/transactions?status=completed&limit=2&cursor=b2Zmc2V0",
    ]);
  });

  test("the iteration follows offsets where the service sends no cursor", async () => {
    const service = await startFaultServer(
      responds(200, { data: ["a", "b"].map(transaction), total: 3, limit: 2, offset: 0 }),
      responds(200, { data: [transaction("c")], total: 3, limit: 2, offset: 2 }),
    );
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.transactions.list({ limit: 2 }))).toEqual(["a", "b", "c"]);
    expect(service.received[1]?.url).toBe("/transactions?limit=2&offset=2");
  });

  test("a bare array is the whole list", async () => {
    const service = await startFaultServer(responds(200, [transaction("a")]));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.customers.transactions("3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f"))).toEqual(["a"]);
  });

  test("delivery logs are read until a page is not full", async () => {
    const logs = (count: number, from: number) =>
      responds(
        200,
        Array.from({ length: count }, (_, at) => ({ id: `log-${from + at}`, success: false })),
      );
    const service = await startFaultServer(logs(25, 0), logs(3, 25));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.webhooks.logs("wh_7K2MPQ9XW4ZTBD", { failed: true }))).toHaveLength(28);
    expect(service.received.map((request) => request.url)).toEqual([
      "/webhooks/wh_7K2MPQ9XW4ZTBD/logs?failed=true",
      "/webhooks/wh_7K2MPQ9XW4ZTBD/logs?failed=true&limit=25&offset=25",
    ]);
  });

  test("an unreadable item does not end the iteration early", async () => {
    const logs = (rows: unknown[]) => responds(200, rows);
    const service = await startFaultServer(logs([null, { id: "log-1" }]), logs([{ id: "log-2" }]));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.webhooks.logs("wh_7K2MPQ9XW4ZTBD", { limit: 2 }))).toEqual(["log-1", "log-2"]);
  });

  test("a refund without its ID is listed with what it shows, and a row that shows nothing is only counted", async () => {
    const rows = [
      { refund_id: "r1", amount: 500 },
      { transaction_id: "t1", amount: "700", status: "completed" },
      { reason: "duplicate" },
      { status: "completed", refund_id: 7 },
      null,
    ];
    const service = await startFaultServer(responds(200, { data: rows }));
    const { data } = await testClient(service.baseUrl).client.refunds.list();
    expect(data.items.map(({ id, transactionId, amount, reason }) => [id, transactionId, amount, reason])).toEqual([
      ["r1", undefined, 500, undefined],
      [undefined, "t1", 700, undefined],
      [undefined, undefined, undefined, "duplicate"],
    ]);
    expect(data.received).toBe(5);
  });

  test("the iteration fails when a cursor leads back to itself", async () => {
    const service = await startFaultServer(page(["a"], "same"));
    const { client } = testClient(service.baseUrl);
    await expect(idsOf(client.transactions.list())).rejects.toMatchObject({ code: "response_unusable" });
    expect(service.received).toHaveLength(2);
  });

  test("an error on a later page reaches the caller", async () => {
    const service = await startFaultServer(page(["a"], "old"), respondsWithError(400, "invalid_cursor"));
    const { client } = testClient(service.baseUrl);
    await expect(idsOf(client.transactions.list())).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  test("a later page that fails with 503 is requested again", async () => {
    const service = await startFaultServer(
      page(["a"], "next"),
      respondsWithError(503, "service_unavailable"),
      page(["b"], null),
    );
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.transactions.list())).toEqual(["a", "b"]);
  });
});

describe("the first items of a list", () => {
  const threePages = () => startFaultServer(page(["a", "b"], "next-1"), page(["c", "d"], "next-2"), page(["e"], null));

  test.each([
    [1, ["a"], 1],
    [3, ["a", "b", "c"], 2],
    [99, ["a", "b", "c", "d", "e"], 3],
  ])("toArray with a limit of %i reads no more pages than it needs", async (limit, ids, pages) => {
    const service = await threePages();
    const { client } = testClient(service.baseUrl);
    const found = await client.transactions.list({ limit: 2 }).toArray({ limit });
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(service.received).toHaveLength(pages);
  });

  test("toArray fails with the error of the page that failed", async () => {
    const service = await startFaultServer(page(["a"], "next-1"), respondsWithError(403, "forbidden"));
    const { client } = testClient(service.baseUrl);
    await expect(client.transactions.list().toArray({ limit: 9 })).rejects.toMatchObject({ code: "forbidden" });
  });
});
