import { describe, expect, it } from "vitest";
import { type Merchant, type Service, startService } from "../../service.ts";
import { listen } from "../../steps.ts";
import { dataOf } from "./event-data.ts";

// biome-ignore format: several names per line are easier to read
const subscriptionFields = [
  "subscription_id", "organization_id", "customer_id", "product_id", "price_id", "status", "start_date",
  "end_date", "next_billing_date", "plan_name", "billing_interval", "cancel_at_period_end", "metadata",
  "environment", "created_at", "updated_at",
];

const subscriptionEvents = [
  "SUBSCRIPTION_CREATED",
  "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_CANCELLED",
];

describe("Events of a subscription", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("the data of SUBSCRIPTION_CREATED, _RENEWED and _CANCELLED is the subscription itself", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, subscriptionEvents);
    const id = await subscribe(service, shop);
    const created = dataOf(await receiver.wait(1, "SUBSCRIPTION_CREATED"));
    expect(Object.keys(created)).toEqual(subscriptionFields);
    expect(created).toMatchObject({
      subscription_id: id,
      status: "active",
      plan_name: "Pro Monthly",
      billing_interval: "month",
    });
    expect(created.next_billing_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    await service.control(`POST /subscriptions/${id}/renew`);
    const renewed = dataOf(await receiver.wait(1, "SUBSCRIPTION_RENEWED"));
    expect(Object.keys(renewed)).toEqual(subscriptionFields);
    expect(String(renewed.next_billing_date) > String(created.next_billing_date)).toBe(true);
    await service.control(`POST /subscriptions/${id}/cancel`);
    const cancelled = dataOf(await receiver.wait(1, "SUBSCRIPTION_CANCELLED"));
    expect(cancelled).toMatchObject({ subscription_id: id, status: "cancelled", next_billing_date: null });
  });

  it.each([
    ["pause", "paused", "active"],
    ["resume", "active", "paused"],
  ])(
    "the data of SUBSCRIPTION_UPDATED on %s is the object, its earlier values and the context",
    async (action, status, before) => {
      const shop = await service.merchant();
      const { receiver } = await listen(service, shop.call, ["SUBSCRIPTION_UPDATED"]);
      const id = await subscribe(service, shop);
      await service.control(`POST /subscriptions/${id}/pause`);
      if (action === "resume") {
        await receiver.wait(1);
        await service.control(`POST /subscriptions/${id}/resume`);
      }
      const deliveries = await receiver.wait(action === "resume" ? 2 : 1);
      const data = dataOf(deliveries.slice(-1));
      expect(Object.keys(data)).toEqual(["object", "previous_attributes", "context"]);
      expect(Object.keys(Object(data.object))).toEqual([
        "subscription_id",
        "status",
        "price_id",
        "cancel_at_period_end",
        "next_billing_date",
        "plan_name",
        "billing_interval",
      ]);
      expect(data).toMatchObject({ object: { subscription_id: id, status }, previous_attributes: { status: before } });
      expect(["merchant_api", "customer_portal", "cron"]).toContain(Object(data.context).source);
      expect(Object(data.context).actor).toBeTypeOf("string");
    },
  );
});

/** Creates a subscription of the merchant through the control API. */
async function subscribe(service: Service, shop: Merchant): Promise<string> {
  const body = {
    organization_id: shop.organizationId,
    environment: "test",
    plan_name: "Pro Monthly",
    billing_interval: "month",
  };
  return (await service.control("POST /subscriptions", body)).text("subscription_id");
}
