import { describe, expect, it } from "vitest";
import { type Answer, expectInvalid, expectRefusal } from "../answer.ts";
import type { Operation } from "../operations.ts";
import { type Merchant, second, startService } from "../service.ts";
import { chargeWave, expectStatus, paidSession, refund } from "../steps.ts";

type List = {
  readonly operation: Operation;
  /** The field that holds a row's id. */
  readonly idField: string;
  /** Creates one more row and returns its id. */
  create(shop: Merchant): Promise<string>;
};

describe("Lists", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const lists: readonly List[] = [
    {
      operation: "GET /transactions",
      idField: "transaction_id",
      create: async (shop) => (await paidSession(service, shop.call)).transactionId,
    },
    {
      operation: "GET /customers",
      idField: "customer_id",
      create: async (shop) => (await shop.call("POST /customers", { body: { name: "Awa" } })).text("customer_id"),
    },
    {
      operation: "GET /refunds",
      idField: "refund_id",
      create: async (shop) => {
        const { transactionId } = await paidSession(service, shop.call);
        return (await refund(shop.call, transactionId, 100)).text("refund_id");
      },
    },
  ];

  /** Creates a merchant with `count` rows and returns the rows' ids, newest first. */
  async function merchantWithRows(list: List, count: number): Promise<{ shop: Merchant; ids: readonly string[] }> {
    const shop = await service.merchant();
    const ids: string[] = [];
    while (ids.length < count) {
      ids.unshift(await list.create(shop));
      await service.advance(second);
    }
    return { shop, ids };
  }

  for (const list of lists) {
    const idsOf = (answer: Answer) => answer.rows("data").map((row) => row[list.idField]);

    describe(list.operation, () => {
      it("an empty list is the envelope without rows", async () => {
        const shop = await service.merchant();
        expect((await shop.call(list.operation)).body).toEqual({
          object: "list",
          data: [],
          has_more: false,
          next_cursor: null,
          limit: 20,
          total_count: 0,
        });
      });

      it("a page has twenty rows, newest first, and a cursor leads to the rest", async () => {
        const { shop, ids } = await merchantWithRows(list, 23);
        const first = await shop.call(list.operation);
        expect(first.body).toMatchObject({ object: "list", has_more: true, limit: 20, total_count: 23 });
        expect(idsOf(first)).toEqual(ids.slice(0, 20));
        const rest = await shop.call(list.operation, { query: { cursor: first.text("next_cursor") } });
        expect(rest.body).toMatchObject({ object: "list", has_more: false, next_cursor: null, total_count: 23 });
        expect(idsOf(rest)).toEqual(ids.slice(20));
      });

      it("paging with limit 2 returns every row once", async () => {
        const { shop, ids } = await merchantWithRows(list, 5);
        const seen: unknown[] = [];
        let cursor: string | null = null;
        do {
          const page: Answer = await shop.call(list.operation, {
            query: cursor === null ? { limit: 2 } : { limit: 2, cursor },
          });
          expect(page.number("limit")).toBe(2);
          seen.push(...idsOf(page));
          cursor = Object(page.body).has_more ? page.text("next_cursor") : null;
        } while (cursor !== null);
        expect(seen).toEqual(ids);
      });

      it("a limit above 100 is lowered to 100", async () => {
        const shop = await service.merchant();
        expect((await shop.call(list.operation, { query: { limit: 101 } })).number("limit")).toBe(100);
        expect((await shop.call(list.operation, { query: { limit: 1_000_000 } })).number("limit")).toBe(100);
        expect((await shop.call(list.operation, { query: { limit: 100 } })).number("limit")).toBe(100);
      });

      it.each([0, -1, "ten", "", "1.5"])(
        "a limit that is not a positive integer (%s) gives 400 validation_failed",
        async (limit) => {
          expectInvalid(await service.call(list.operation, { query: { limit } }), "limit");
        },
      );

      const malformedCursors = ["nonsense", "%%%"];
      const cursorsWithWrongContent = ['{"offset":-1}', "{}", "null"].map((json) =>
        Buffer.from(json).toString("base64url"),
      );
      it.each([...malformedCursors, ...cursorsWithWrongContent])(
        "a broken cursor (%s) gives 400 invalid_cursor Cursor is invalid",
        async (cursor) => {
          const answer = await service.call(list.operation, { query: { cursor } });
          expectRefusal(answer, 400, "invalid_cursor", "Cursor is invalid");
        },
      );
    });
  }

  it("a cursor is base64url of its offset", async () => {
    const customers = lists.find((list) => list.operation === "GET /customers");
    if (customers === undefined) throw new Error("There is no list of customers.");
    const { shop } = await merchantWithRows(customers, 3);
    const cursor = (await shop.call("GET /customers", { query: { limit: 2 } })).text("next_cursor");
    expect(JSON.parse(Buffer.from(cursor, "base64url").toString())).toEqual({ offset: 2 });
  });

  it.each(["GET /webhooks", "GET /accounts/balance", "GET /organizations", "GET /providers", "GET /accounts"] as const)(
    "%s is a bare array",
    async (operation) => {
      expect(expectStatus(await service.call(operation), 200).body).toBeInstanceOf(Array);
    },
  );

  it("a webhook's logs and a customer's transactions are bare arrays", async () => {
    const shop = await service.merchant();
    const body = { url: "http://127.0.0.1:9/hooks", authorized_events: ["PAYMENT_FAILED"] };
    const webhook = { id: (await shop.call("POST /webhooks", { body })).text("id") };
    const customer = { id: (await shop.call("POST /customers", { body: { name: "Awa" } })).text("customer_id") };
    expect((await shop.call("GET /webhooks/{id}/logs", { params: webhook })).body).toEqual([]);
    expect((await shop.call("GET /customers/{id}/transactions", { params: customer })).body).toEqual([]);
  });
});

describe("Filters of lists", () => {
  const service = startService();
  const ids = (answer: Answer, idField: string) =>
    expectStatus(answer, 200)
      .rows("data")
      .map((row) => row[idField]);

  it("startDate and endDate are inclusive, for transactions and refunds", async () => {
    const shop = await service.merchant();
    const moments: { transaction: string; refund: string; created: string; refunded: string }[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { transactionId } = await paidSession(service, shop.call);
      const refundId = (await refund(shop.call, transactionId, 100)).text("refund_id");
      const transaction = await shop.call("GET /transactions/{id}", { params: { id: transactionId } });
      const refunded = await shop.call("GET /refunds/{id}", { params: { id: refundId } });
      moments.push({
        transaction: transactionId,
        refund: refundId,
        created: transaction.text("created_at"),
        refunded: refunded.text("created_at"),
      });
      await service.advance(60 * second);
    }
    const [first, middle, last] = moments;
    if (!first || !middle || !last) throw new Error("Expected three payments.");
    const transactions = (query: Record<string, string>) => shop.call("GET /transactions", { query });
    const both = { startDate: middle.created, endDate: middle.created };
    expect(ids(await transactions(both), "transaction_id")).toEqual([middle.transaction]);
    const since = { startDate: middle.created };
    expect(ids(await transactions(since), "transaction_id")).toEqual([last.transaction, middle.transaction]);
    const until = { endDate: middle.created };
    expect(ids(await transactions(until), "transaction_id")).toEqual([middle.transaction, first.transaction]);
    const refunds = { startDate: middle.refunded, endDate: last.refunded };
    expect(ids(await shop.call("GET /refunds", { query: refunds }), "refund_id")).toEqual([last.refund, middle.refund]);
  });

  it("status, type, currency, provider and paymentMethod filter the transactions", async () => {
    const shop = await service.merchant();
    const card = (await paidSession(service, shop.call, { currency_code: "EUR" })).transactionId;
    const wave = (await paidSession(service, shop.call, {}, "wave")).transactionId;
    const failed = await failedTransaction(shop);
    const found = async (query: Record<string, string>) =>
      new Set(ids(await shop.call("GET /transactions", { query }), "transaction_id"));
    expect(await found({ status: "completed" })).toEqual(new Set([card, wave]));
    expect(await found({ status: "failed" })).toEqual(new Set([failed]));
    expect(await found({ type: "payment" })).toEqual(new Set([card, wave, failed]));
    expect(await found({ type: "payout" })).toEqual(new Set());
    expect(await found({ currency: "EUR" })).toEqual(new Set([card]));
    expect(await found({ provider: "WAVE" })).toEqual(new Set([wave]));
    expect(await found({ paymentMethod: "MOBILE_MONEY" })).toEqual(new Set([wave]));
    expect(await found({ isPos: "true" })).toEqual(new Set());
    expect(await found({ isPos: "false" })).toEqual(new Set([card, wave, failed]));
    expect(await found({ status: "completed", currency: "XOF" })).toEqual(new Set([wave]));
  });

  async function failedTransaction(shop: Merchant): Promise<string> {
    const id = (await shop.call("POST /checkout-sessions", { body: { amount: 5000, currency_code: "USD" } })).text(
      "id",
    );
    await service.control(`POST /checkout-sessions/${id}/pay`, { method: "card", outcome: "failed" });
    const rows = (await shop.call("GET /transactions")).rows("data");
    return String(rows.find((row) => row.checkout_session_id === id)?.transaction_id);
  }

  it("status, type, currency and paymentMethod accept several values, separated by commas", async () => {
    const shop = await service.merchant();
    const usd = (await paidSession(service, shop.call, { currency_code: "USD" })).transactionId;
    const eur = (await paidSession(service, shop.call, { currency_code: "EUR" })).transactionId;
    const xof = (await paidSession(service, shop.call, {}, "wave")).transactionId;
    const found = async (query: Record<string, string>) =>
      new Set(ids(await shop.call("GET /transactions", { query }), "transaction_id"));
    expect(await found({ currency: "USD,EUR" })).toEqual(new Set([usd, eur]));
    expect(await found({ status: "failed,completed" })).toEqual(new Set([usd, eur, xof]));
    expect(await found({ type: "payment,refund" })).toEqual(new Set([usd, eur, xof]));
    expect(await found({ paymentMethod: "CARDS,MOBILE_MONEY" })).toEqual(new Set([usd, eur, xof]));
  });

  it("checkoutSessionId finds the transaction of a session", async () => {
    const shop = await service.merchant();
    const { sessionId, transactionId } = await paidSession(service, shop.call);
    await paidSession(service, shop.call);
    const answer = await shop.call("GET /transactions", { query: { checkoutSessionId: sessionId } });
    expect(ids(answer, "transaction_id")).toEqual([transactionId]);
  });

  it("total_count counts only the rows that match the filter", async () => {
    const shop = await service.merchant();
    await paidSession(service, shop.call, { currency_code: "USD" });
    await chargeWave(shop.call);
    expect((await shop.call("GET /transactions", { query: { currency: "USD" } })).number("total_count")).toBe(1);
  });
});
