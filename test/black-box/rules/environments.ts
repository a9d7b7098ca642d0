import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { startService } from "../service.ts";
import { listen, openSession, paidSession, pay, paymentEvents } from "../steps.ts";

describe("Environments and organizations", () => {
  const service = startService();

  it("the key decides the environment of what it creates", async () => {
    const shop = await service.merchant();
    expect((await openSession(shop.call)).text("environment")).toBe("test");
    expect((await openSession(shop.live)).text("environment")).toBe("live");
  });

  it("a session of one environment gives 404 not_found to the other environment's key", async () => {
    const shop = await service.merchant();
    const test = { params: { id: (await openSession(shop.call)).text("id") } };
    const live = { params: { id: (await openSession(shop.live)).text("id") } };
    expectRefusal(await shop.live("GET /checkout-sessions/{id}", test), 404, "not_found");
    expectRefusal(await shop.call("GET /checkout-sessions/{id}", live), 404, "not_found");
    expect((await shop.live("GET /checkout-sessions/{id}", live)).status).toBe(200);
  });

  it("another organization's session, transaction, webhook and log give 404 not_found", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    const { sessionId, transactionId } = await paidSession(service, theirs.call);
    const { id } = await listen(service, theirs.call, ["PAYMENT_SUCCEEDED"]);
    const test = await theirs.call("POST /webhooks/{id}/test", { params: { id } });
    const answers = [
      await mine.call("GET /checkout-sessions/{id}", { params: { id: sessionId } }),
      await mine.call("GET /transactions/{id}", { params: { id: transactionId } }),
      await mine.call("GET /webhooks/{id}", { params: { id } }),
      await mine.call("PATCH /webhooks/{id}", { params: { id }, body: { is_active: false } }),
      await mine.call("DELETE /webhooks/{id}", { params: { id } }),
      await mine.call("POST /webhooks/{id}/test", { params: { id } }),
      await mine.call("GET /webhooks/{id}/logs", { params: { id } }),
      await mine.call("GET /webhook-delivery-logs/{id}", { params: { id: test.text("log_id") } }),
    ];
    for (const answer of answers) expectRefusal(answer, 404, "not_found", / not found$/);
  });

  it("a transaction list contains only transactions of the key's environment and organization", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    const test = await paidSession(service, mine.call);
    const live = await paidSession(service, mine.live);
    await paidSession(service, theirs.call);
    const ids = async (call: typeof mine.call) =>
      (await call("GET /transactions")).rows("data").map((row) => row.transaction_id);
    expect(await ids(mine.call)).toEqual([test.transactionId]);
    expect(await ids(mine.live)).toEqual([live.transactionId]);
  });

  it("a webhook endpoint belongs to one environment and receives only its events", async () => {
    const shop = await service.merchant();
    const test = await listen(service, shop.call, paymentEvents);
    const live = await listen(service, shop.live, paymentEvents);
    expect((await shop.call("GET /webhooks")).rows().map((row) => row.id)).toEqual([test.id]);
    expect((await shop.live("GET /webhooks")).rows().map((row) => row.id)).toEqual([live.id]);
    expectRefusal(await shop.live("GET /webhooks/{id}", { params: { id: test.id } }), 404, "not_found");
    await paidSession(service, shop.call);
    await test.receiver.wait(2);
    expect(await live.receiver.waitBriefly()).toEqual([]);
  });

  it("test methods work for live sessions too", async () => {
    const shop = await service.merchant();
    const { sessionId } = await paidSession(service, shop.live);
    const session = await shop.live("GET /checkout-sessions/{id}", { params: { id: sessionId } });
    expect(session.body).toMatchObject({ status: "completed", environment: "live" });
  });

  it("an organization receives no events about another organization's payments", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    const { receiver } = await listen(service, mine.call, paymentEvents);
    await pay(service, (await openSession(theirs.call)).text("id"));
    expect(await receiver.waitBriefly()).toEqual([]);
  });
});
