import { describe, expect, it } from "vitest";
import type { Answer, Row } from "../answer.ts";
import { hour, type Merchant, minute, second, startService } from "../service.ts";
import { listen, openSession, order, paidSession, pay, readSession, readTransaction, refund } from "../steps.ts";

describe("The setting staleReadsMs", () => {
  const service = startService();

  it("a read after the event still shows the session and its transaction as they were", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await service.withSettings({ staleReadsMs: 10 * second }, async () => {
      const id = (await openSession(shop.call)).text("id");
      await pay(service, id);
      const [delivery] = await receiver.wait(1);
      const transactionId = String(Object(delivery?.body.data).transaction_id);
      expect(await statesOf(shop, id, transactionId)).toEqual(["open", "pending"]);
      await service.advance(9 * second);
      expect(await statesOf(shop, id, transactionId)).toEqual(["open", "pending"]);
      await service.advance(second);
      expect(await statesOf(shop, id, transactionId)).toEqual(["completed", "completed"]);
    });
  });

  it("a session that expired is read as open, and its transaction as pending", async () => {
    await service.withSettings({ staleReadsMs: minute }, async () => {
      const id = (await openSession(service.call)).text("id");
      const transactionId = (await pay(service, id, "wave", "pending")).text("transaction_id");
      await service.control(`POST /checkout-sessions/${id}/expire`);
      expect(await statesOf(service, id, transactionId)).toEqual(["open", "pending"]);
      await service.advance(minute);
      expect(await statesOf(service, id, transactionId)).toEqual(["expired", "expired"]);
    });
  });

  it("a completed refund is read as pending, and its transaction as not refunded", async () => {
    const { transactionId } = await paidSession(service, service.call);
    await service.withSettings({ staleReadsMs: minute }, async () => {
      const id = (await refund(service.call, transactionId, order.amount)).text("refund_id");
      const states = async () => [
        (await service.call("GET /refunds/{id}", { params: { id } })).text("status"),
        (await readTransaction(service.call, transactionId)).text("status"),
      ];
      expect(await states()).toEqual(["pending", "completed"]);
      await service.advance(minute);
      expect(await states()).toEqual(["completed", "refunded"]);
    });
  });

  async function statesOf({ call }: Pick<Merchant, "call">, sessionId: string, transactionId: string) {
    const session = await readSession(call, sessionId);
    return [session.text("status"), (await readTransaction(call, transactionId)).text("status")];
  }
});

describe("The setting reportsDeclinedAttempt", () => {
  const service = startService({ settings: { reportsDeclinedAttempt: true } });

  it("a session names its last declined try, even after another try completed the session", async () => {
    const id = (await openSession(service.call)).text("id");
    await pay(service, id, "card", "failed");
    const declined = (await pay(service, id, "wave", "failed")).text("transaction_id");
    const paid = (await pay(service, id)).text("transaction_id");
    const session = await readSession(service.call, id);
    expect([session.text("status"), session.text("transaction_id")]).toEqual(["completed", declined]);
    expect((await readTransaction(service.call, declined)).text("status")).toBe("failed");
    expect((await readTransaction(service.call, paid)).text("status")).toBe("completed");
  });

  it("a session without a declined try names the try that completed it", async () => {
    const { sessionId, transactionId } = await paidSession(service, service.call);
    expect((await readSession(service.call, sessionId)).text("transaction_id")).toBe(transactionId);
    expect((await readTransaction(service.call, transactionId)).text("status")).toBe("completed");
  });
});

describe("The setting idempotencyHours", () => {
  const service = startService();
  const create = (idempotencyKey: string) => service.call("POST /checkout-sessions", { body: order, idempotencyKey });

  it.each([1, 24, 72])(
    "a key is forgotten after %i hours of the sandbox's clock, and a repeated request is executed again",
    async (hours) => {
      await service.withSettings({ idempotencyHours: hours, ratePolicy: "off" }, async () => {
        const key = `key-${hours}`;
        const first = (await create(key)).text("id");
        await service.advance(hours * hour - minute);
        expect((await create(key)).text("id")).toBe(first);
        await service.advance(minute);
        expect((await create(key)).text("id")).not.toBe(first);
      });
    },
  );
});

describe("The settings of lists", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  async function merchantWithRows(count: number): Promise<{ shop: Merchant; ids: readonly string[] }> {
    const shop = await service.merchant();
    const ids: string[] = [];
    while (ids.length < count) ids.unshift((await paidSession(service, shop.call)).transactionId);
    return { shop, ids };
  }

  const idsOf = (rows: readonly Row[]) => rows.map((row) => row.transaction_id);

  /** The ids of all transactions, page by page. */
  async function readPages({ call }: Merchant, limit: number): Promise<unknown[][]> {
    const pages: unknown[][] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await call("GET /transactions", { query: cursor === null ? { limit } : { limit, cursor } });
      pages.push(idsOf(page.rows("data")));
      cursor = Object(page.body).next_cursor;
    } while (cursor !== null);
    return pages;
  }

  it("the order oldest reverses a list across its pages", async () => {
    const { shop, ids } = await merchantWithRows(5);
    await service.withSettings({ lists: { order: "oldest" } }, async () => {
      const oldestFirst = ids.toReversed();
      expect(await readPages(shop, 2)).toEqual([
        oldestFirst.slice(0, 2),
        oldestFirst.slice(2, 4),
        oldestFirst.slice(4),
      ]);
    });
    expect((await readPages(shop, 5))[0]).toEqual(ids);
  });

  it("the order shuffled returns every row once, in an order that depends on the seed", async () => {
    const { shop, ids } = await merchantWithRows(8);
    const readShuffled = (seed: number) =>
      service.withSettings({ lists: { order: "shuffled", seed } }, async () => (await readPages(shop, 3)).flat());
    const first = await readShuffled(7);
    expect(new Set(first)).toEqual(new Set(ids));
    expect(first).toHaveLength(ids.length);
    expect(first).not.toEqual(ids);
    expect(await readShuffled(7)).toEqual(first);
    expect(await readShuffled(8)).not.toEqual(first);
  });

  it("lateRowsMs hides a new row from lists for that time, while a read by its id finds the row", async () => {
    const { shop, ids } = await merchantWithRows(1);
    await service.withSettings({ lists: { lateRowsMs: minute } }, async () => {
      await service.advance(minute);
      const { transactionId } = await paidSession(service, shop.call);
      const refundId = (await refund(shop.call, transactionId, 100)).text("refund_id");
      const list = await shop.call("GET /transactions");
      expect([idsOf(list.rows("data")), list.number("total_count")]).toEqual([ids, 1]);
      expect((await shop.call("GET /refunds")).number("total_count")).toBe(0);
      expect((await shop.call("GET /refunds/{id}", { params: { id: refundId } })).status).toBe(200);
      await service.advance(minute);
      expect((await readPages(shop, 5))[0]).toEqual([transactionId, ...ids]);
      expect((await shop.call("GET /refunds")).number("total_count")).toBe(1);
    });
  });

  it("a positive shiftBy repeats rows of the first page on the second, as if rows had been added meanwhile", async () => {
    const { shop, ids } = await merchantWithRows(5);
    await service.withSettings({ lists: { shiftBy: 1 } }, async () => {
      expect(await readPages(shop, 2)).toEqual([ids.slice(0, 2), ids.slice(1, 3), ids.slice(3)]);
      expect((await readPages(shop, 1)).flat()).toEqual([ids[0], ...ids]);
    });
  });

  it("a negative shiftBy skips a row between two pages, as if rows had been removed meanwhile", async () => {
    const { shop, ids } = await merchantWithRows(5);
    await service.withSettings({ lists: { shiftBy: -1 } }, async () => {
      expect(await readPages(shop, 2)).toEqual([ids.slice(0, 2), ids.slice(3)]);
    });
  });

  it.each([{ order: "random" }, { shiftBy: 21 }, { lateRowsMs: -1 }, { seed: 0 }, { sort: "oldest" }])(
    "an invalid setting of lists (%j) is refused",
    async (lists) => {
      expect((await service.tryControl("PATCH /settings", { lists })).status).toBe(400);
    },
  );
});
