import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ListeningShop, openListeningShop, waitForLogs } from "../listening-shop.ts";
import { unknownId } from "../operations.ts";
import { second, startService } from "../service.ts";
import { paidSession } from "../steps.ts";

describe("Delivery logs and the manual retry", () => {
  const service = startService();
  const retry = (shop: ListeningShop, logId: unknown) =>
    shop.call("POST /webhooks/{webhook_id}/logs/{log_id}/retry", {
      params: { webhook_id: shop.id, log_id: String(logId) },
    });

  /** A merchant with one failed attempt in the log. */
  async function shopWithFailedAttempt(): Promise<{ shop: ListeningShop; log: string }> {
    const shop = await openListeningShop(service);
    shop.receiver.answer(400);
    await paidSession(service, shop.call);
    const [row] = await waitForLogs(shop, 1);
    return { shop, log: String(row?.id) };
  }

  it("a delivery log is read by its UUID and gives 200, 401 or 404", async () => {
    const { shop, log } = await shopWithFailedAttempt();
    const answer = await shop.call("GET /webhook-delivery-logs/{id}", { params: { id: log } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await waitForLogs(shop, 1))[0]);
    const byId = { params: { id: log } };
    expect((await shop.call("GET /webhook-delivery-logs/{id}", { ...byId, key: null })).status).toBe(401);
    const none = { params: { id: unknownId } };
    expect((await shop.call("GET /webhook-delivery-logs/{id}", none)).status).toBe(404);
  });

  it("delivery logs are listed newest first, 25 by default and at most 100, with limit and offset", async () => {
    const shop = await openListeningShop(service);
    const test = () => shop.call("POST /webhooks/{id}/test", { params: { id: shop.id } });
    const ids: string[] = [];
    for (let count = 0; count < 105; count += 1) ids.unshift((await test()).text("log_id"));
    const page = async (query: Record<string, number>) =>
      (await shop.call("GET /webhooks/{id}/logs", { params: { id: shop.id }, query })).rows().map((row) => row.id);
    expect(await page({})).toEqual(ids.slice(0, 25));
    expect(await page({ limit: 5, offset: 10 })).toEqual(ids.slice(10, 15));
    expect(await page({ limit: 100 })).toEqual(ids.slice(0, 100));
    expect(await page({ limit: 500 })).toEqual(ids.slice(0, 100));
    expect(await page({ offset: 104 })).toEqual(ids.slice(104));
  });

  it("delivery logs are filtered by success and by failed", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(200, 404);
    for (let count = 0; count < 2; count += 1) await shop.call("POST /webhooks/{id}/test", { params: { id: shop.id } });
    const outcomes = async (query: Record<string, boolean>) =>
      (await shop.call("GET /webhooks/{id}/logs", { params: { id: shop.id }, query })).rows().map((row) => row.success);
    expect(await outcomes({ success: true })).toEqual([true]);
    expect(await outcomes({ failed: true })).toEqual([false]);
    expect(await outcomes({})).toEqual([false, true]);
  });

  it("a limit or offset that is not a valid number gives 400", async () => {
    const shop = await openListeningShop(service);
    for (const query of [{ limit: "many" }, { limit: 0 }, { offset: -1 }, { offset: "x" }]) {
      const answer = await shop.call("GET /webhooks/{id}/logs", { params: { id: shop.id }, query });
      expect(answer.status).toBe(400);
    }
  });

  it("a manual retry sends the same bytes with the same signature, as the next attempt", async () => {
    const { shop, log } = await shopWithFailedAttempt();
    shop.receiver.answer(200);
    await service.advance(100 * second);
    const answer = await retry(shop, log);
    expect(answer.status).toBe(200);
    const [first, again] = await shop.receiver.wait(2);
    expect(answer.body).toMatchObject({ delivered: true, response_status: 200, event_id: first?.body.id });
    expect(again?.raw).toBe(first?.raw);
    expect(again?.headers["x-service-signature"]).toBe(first?.headers["x-service-signature"]);
    expect((await waitForLogs(shop, 2))[0]).toMatchObject({ success: true, attempt_number: 2 });
  });

  it("a manual retry after a rotation is signed with the current secret", async () => {
    const { shop, log } = await shopWithFailedAttempt();
    shop.receiver.answer(200);
    const rotated = await shop.call("PATCH /webhooks/{id}", { params: { id: shop.id }, body: { rotate_secret: true } });
    await retry(shop, log);
    const [first, again] = await shop.receiver.wait(2);
    expect(again?.raw).toBe(first?.raw);
    const signature = createHmac("sha256", rotated.text("secret"))
      .update(first?.raw ?? "")
      .digest("hex");
    expect(again?.headers["x-service-signature"]).toBe(signature);
  });

  it("a manual retry that fails again gives 400", async () => {
    const { shop, log } = await shopWithFailedAttempt();
    expect((await retry(shop, log)).status).toBe(400);
    expect(await waitForLogs(shop, 2)).toHaveLength(2);
  });

  it("a manual retry of an unknown log gives 404, also under another endpoint", async () => {
    const { shop, log } = await shopWithFailedAttempt();
    expect((await retry(shop, unknownId)).status).toBe(404);
    const other = await openListeningShop(service);
    expect((await retry(other, log)).status).toBe(404);
  });

  it.each([{ is_active: false }, { authorized_events: ["REFUND_FAILED"] }])(
    "a manual retry gives 409 conflict after the endpoint was changed to %j",
    async (body) => {
      const { shop, log } = await shopWithFailedAttempt();
      await shop.call("PATCH /webhooks/{id}", { params: { id: shop.id }, body });
      const answer = await retry(shop, log);
      expect([answer.status, answer.text("error.code")]).toEqual([409, "conflict"]);
    },
  );
});
