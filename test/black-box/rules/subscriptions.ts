import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { type Merchant, startService } from "../service.ts";
import { cardCharge, listen, openSession, order, pay, readTransaction, waveCharge } from "../steps.ts";

describe("Subscriptions", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const subscribe = async ({ organizationId }: Merchant, change: object = {}): Promise<string> => {
    const body = { organization_id: organizationId, environment: "test", plan_name: "Pro Monthly", ...change };
    return (await service.control("POST /subscriptions", body)).text("subscription_id");
  };
  const subscribeAndListen = async (event: string) => {
    const shop = await service.merchant();
    return { shop, ...(await listen(service, shop.call, [event])), id: await subscribe(shop) };
  };

  it("a plan change sends SUBSCRIPTION_UPDATED with the new plan and the earlier values", async () => {
    const { receiver, id } = await subscribeAndListen("SUBSCRIPTION_UPDATED");
    await service.control(`PATCH /subscriptions/${id}`, {
      price_id: unknownId,
      plan_name: "Pro Yearly",
      billing_interval: "year",
    });
    const [delivery] = await receiver.wait(1);
    expect(delivery?.body.data).toMatchObject({
      object: { subscription_id: id, price_id: unknownId, plan_name: "Pro Yearly", billing_interval: "year" },
      previous_attributes: { plan_name: "Pro Monthly", billing_interval: "month" },
    });
  });

  it("a change to the current values sends no event", async () => {
    const { receiver, id } = await subscribeAndListen("SUBSCRIPTION_UPDATED");
    await service.control(`PATCH /subscriptions/${id}`, { plan_name: "Pro Monthly" });
    expect(await receiver.waitBriefly()).toEqual([]);
  });

  it.each(["merchant_api", "customer_portal", "cron"])(
    "the context of SUBSCRIPTION_UPDATED names the source %s and an actor",
    async (source) => {
      const { receiver, id } = await subscribeAndListen("SUBSCRIPTION_UPDATED");
      await service.control(`POST /subscriptions/${id}/pause`, { source });
      const [delivery] = await receiver.wait(1);
      expect(delivery?.body.data).toMatchObject({ context: { source, actor: expect.any(String) } });
    },
  );

  it("a scheduled cancellation sends SUBSCRIPTION_UPDATED with cancel_at_period_end", async () => {
    const { receiver, id } = await subscribeAndListen("SUBSCRIPTION_UPDATED");
    await service.control(`POST /subscriptions/${id}/cancel`, { at_period_end: true });
    const [delivery] = await receiver.wait(1);
    expect(delivery?.body.data).toMatchObject({
      object: { status: "active", cancel_at_period_end: true },
      previous_attributes: { cancel_at_period_end: false },
    });
  });

  it("an expired subscription sends SUBSCRIPTION_CANCELLED with the status expired", async () => {
    const { receiver, id } = await subscribeAndListen("SUBSCRIPTION_CANCELLED");
    await service.control(`POST /subscriptions/${id}/expire`);
    const [delivery] = await receiver.wait(1);
    expect(delivery?.body.data).toMatchObject({ subscription_id: id, status: "expired" });
  });

  it("a failed renewal sends PAYMENT_FAILED, because subscriptions have no event for a failed renewal", async () => {
    const { receiver, id } = await subscribeAndListen("PAYMENT_FAILED");
    await service.control(`POST /subscriptions/${id}/renew`, { outcome: "failed" });
    const [delivery] = await receiver.wait(1);
    expect(delivery?.body.data).toMatchObject({ subscription_id: id, status: "failed" });
  });

  it("sessions and charges take a subscription of the merchant and refuse any other subscription with 404", async () => {
    const shop = await service.merchant();
    const ownSubscription = await subscribe(shop);
    const othersSubscription = await subscribe(await service.merchant());
    const liveSubscription = await subscribe(shop, { environment: "live" });
    const payments = async (id: string) => [
      await shop.call("POST /checkout-sessions", { body: { ...order, subscription_id: id } }),
      await shop.call("POST /charge/card", { body: { ...cardCharge, subscription_id: id } }),
      await shop.call("POST /charge/mtn", { body: { ...waveCharge, subscriptionId: id } }),
    ];
    for (const id of [unknownId, othersSubscription, liveSubscription]) {
      for (const answer of await payments(id)) expectRefusal(answer, 404, "not_found");
    }
    for (const answer of await payments(ownSubscription)) expect(answer.status).toBe(201);
  });

  it("the transaction of a session for a subscription names the subscription", async () => {
    const shop = await service.merchant();
    const subscription_id = await subscribe(shop);
    const session = await openSession(shop.call, { subscription_id });
    expect(session.body).toMatchObject({ subscription_id });
    const paid = await pay(service, session.text("id"));
    expect((await readTransaction(shop.call, paid.text("transaction_id"))).body).toMatchObject({ subscription_id });
  });
});
