import { describe, expect, test } from "vitest";
import { answers, type Behaviour, refuses, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const transaction = (id: string) => ({ transaction_id: id, status: "completed" });
const page = (ids: string[], nextCursor: string | null): Behaviour =>
  answers(200, {
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

describe("reading a whole list", () => {
  test("follows the cursor to the last page and keeps the filters", async () => {
    const service = await startFaultServer(page(["a", "b"], "b2Zmc2V0"), page(["c"], null));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.transactions.list({ status: "completed", limit: 2 }))).toEqual(["a", "b", "c"]);
    expect(service.seen.map((request) => request.url)).toEqual([
      "/transactions?status=completed&limit=2",
      "/transactions?status=completed&limit=2&cursor=b2Zmc2V0",
    ]);
  });

  test("follows offsets where the service counts by them", async () => {
    const service = await startFaultServer(
      answers(200, { data: ["a", "b"].map(transaction), total: 3, limit: 2, offset: 0 }),
      answers(200, { data: [transaction("c")], total: 3, limit: 2, offset: 2 }),
    );
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.transactions.list({ limit: 2 }))).toEqual(["a", "b", "c"]);
    expect(service.seen[1]?.url).toBe("/transactions?limit=2&offset=2");
  });

  test("a bare array is the whole list", async () => {
    const service = await startFaultServer(answers(200, [transaction("a")]));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.customers.transactions("3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f"))).toEqual(["a"]);
  });

  test("delivery logs are read until a page is not full", async () => {
    const logs = (count: number, from: number) =>
      answers(
        200,
        Array.from({ length: count }, (_, at) => ({ id: `log-${from + at}`, success: false })),
      );
    const service = await startFaultServer(logs(25, 0), logs(3, 25));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.webhooks.logs("wh_7K2MPQ9XW4ZTBD", { failed: true }))).toHaveLength(28);
    expect(service.seen.map((request) => request.url)).toEqual([
      "/webhooks/wh_7K2MPQ9XW4ZTBD/logs?failed=true",
      "/webhooks/wh_7K2MPQ9XW4ZTBD/logs?failed=true&limit=25&offset=25",
    ]);
  });

  test("rows that nothing can be read from do not end it early", async () => {
    const logs = (rows: unknown[]) => answers(200, rows);
    const service = await startFaultServer(logs([null, { id: "log-1" }]), logs([{ id: "log-2" }]));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.webhooks.logs("wh_7K2MPQ9XW4ZTBD", { limit: 2 }))).toEqual(["log-1", "log-2"]);
  });

  test("a cursor that leads back to itself is not followed for ever", async () => {
    const service = await startFaultServer(page(["a"], "same"));
    const { client } = testClient(service.baseUrl);
    await expect(idsOf(client.transactions.list())).rejects.toMatchObject({ code: "response_unusable" });
    expect(service.seen).toHaveLength(2);
  });

  test("a refusal in the middle reaches the reader", async () => {
    const service = await startFaultServer(page(["a"], "old"), refuses(400, "invalid_cursor"));
    const { client } = testClient(service.baseUrl);
    await expect(idsOf(client.transactions.list())).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  test("a faulty page in the middle is tried again", async () => {
    const service = await startFaultServer(page(["a"], "next"), refuses(503, "service_unavailable"), page(["b"], null));
    const { client } = testClient(service.baseUrl);
    expect(await idsOf(client.transactions.list())).toEqual(["a", "b"]);
  });
});
