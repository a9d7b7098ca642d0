import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { nextBillingDate } from "../src/subscriptions/billing-dates.ts";
import { api, control, type Json, newEndpoint, openReceiver, openSandbox } from "./open-sandbox.ts";
import { balance, eventNames, mobileCharge, moveMoney } from "./payments.ts";

const clock = { now: () => Date.parse("2026-05-01T08:00:00.000Z") };

async function subscribe(sandbox: Sandbox, fields: Json = {}): Promise<Json> {
  const { status, json } = await control(sandbox, "POST /subscriptions", fields);
  expect(status).toBe(201);
  return json;
}

describe("subscriptions", () => {
  it("a subscription starts, pauses, resumes, renews and ends, with one event for each step", async () => {
    const sandbox = await openSandbox({ clock });
    const created = await subscribe(sandbox, { plan_name: "Pro Monthly", amount: 2000 });
    expect(created).toMatchObject({
      status: "active",
      start_date: "2026-05-01",
      end_date: null,
      next_billing_date: "2026-06-01",
      plan_name: "Pro Monthly",
      billing_interval: "month",
      cancel_at_period_end: false,
      environment: "test",
    });
    const step = async (verb: string, body?: Json) =>
      (await control(sandbox, `POST /subscriptions/${created.subscription_id}/${verb}`, body)).json;
    expect((await step("pause")).status).toBe("paused");
    expect((await step("renew")).error.code).toBe("conflict");
    expect((await step("resume")).status).toBe("active");
    expect(await step("renew")).toMatchObject({ status: "active", next_billing_date: "2026-07-01" });
    expect(await balance(sandbox)).toBe(1950); // 2,000 less the fee of 2.5 %
    const ended = await step("cancel");
    expect(ended).toMatchObject({ status: "cancelled", end_date: "2026-05-01", next_billing_date: null });
    expect((await step("cancel")).error.code).toBe("conflict");
    expect(await eventNames(sandbox)).toEqual([
      "SUBSCRIPTION_CREATED",
      "SUBSCRIPTION_UPDATED",
      "SUBSCRIPTION_UPDATED",
      "SUBSCRIPTION_RENEWED",
      "SUBSCRIPTION_CANCELLED",
    ]);
  });

  it("SUBSCRIPTION_UPDATED has the previous values and the actor", async () => {
    const sandbox = await openSandbox({ clock });
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["SUBSCRIPTION_UPDATED"] });
    const { subscription_id, price_id } = await subscribe(sandbox);
    await control(sandbox, `POST /subscriptions/${subscription_id}/pause`);
    const [received] = await receiver.waitFor(1);
    expect(JSON.stringify(JSON.parse(received?.body ?? "").data)).toBe(
      JSON.stringify({
        object: {
          subscription_id,
          status: "paused",
          price_id,
          cancel_at_period_end: false,
          next_billing_date: "2026-06-01",
          plan_name: "Pro Monthly",
          billing_interval: "month",
        },
        previous_attributes: { status: "active" },
        context: { source: "merchant_api", actor: "merchant" },
      }),
    );
  });

  it("a subscription with cancel_at_period_end is cancelled at its renewal", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox);
    const scheduled = await sandbox.control.cancelSubscription(subscription_id, { at_period_end: true });
    expect(scheduled).toMatchObject({ status: "active", cancel_at_period_end: true });
    expect(await sandbox.control.renewSubscription(subscription_id)).toMatchObject({ status: "cancelled" });
    expect(await eventNames(sandbox)).toEqual([
      "SUBSCRIPTION_CREATED",
      "SUBSCRIPTION_UPDATED",
      "SUBSCRIPTION_CANCELLED",
    ]);
  });

  it("a failed renewal makes a subscription past due and sends PAYMENT_FAILED without PAYMENT_CREATED", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox);
    const pastDue = await sandbox.control.renewSubscription(subscription_id, { outcome: "failed" });
    expect(pastDue).toMatchObject({ status: "past_due", next_billing_date: "2026-06-01" });
    expect(await eventNames(sandbox)).toEqual(["SUBSCRIPTION_CREATED", "PAYMENT_FAILED", "SUBSCRIPTION_UPDATED"]);
    const { data } = (await api(sandbox, "GET /transactions")).json;
    expect(data).toMatchObject([{ status: "failed", subscription_id, failure_code: "card_declined" }]);
    expect((await sandbox.control.renewSubscription(subscription_id)).status).toBe("active");
  });

  it("a subscription has the environment of its customer, and only a charge of this environment can pay it", async () => {
    const sandbox = await openSandbox({ clock });
    const key = sandbox.keys.live.secret;
    const { json } = await api(sandbox, "POST /customers", { key, body: { name: "Awa" } });
    const { subscription_id, environment } = await subscribe(sandbox, { customer_id: json.customer_id });
    expect(environment).toBe("live");
    const body = { ...mobileCharge, subscriptionId: subscription_id };
    expect((await moveMoney(sandbox, "/charge/mtn", body)).status).toBe(404);
    const { data } = (await moveMoney(sandbox, "/charge/mtn", body, { key })).json;
    const transaction = await api(sandbox, `GET /transactions/${data.transaction_id}`, { key });
    expect(transaction.json.subscription_id).toBe(subscription_id);
  });

  it("a refund cancels or pauses its subscription on request", async () => {
    const sandbox = await openSandbox({ clock });
    for (const [action, event] of [
      ["cancel", "SUBSCRIPTION_CANCELLED"],
      ["pause", "SUBSCRIPTION_UPDATED"],
      ["none", "REFUND_COMPLETED"],
    ] as const) {
      const { subscription_id } = await subscribe(sandbox);
      await sandbox.control.renewSubscription(subscription_id);
      const [{ transaction_id }] = (await api(sandbox, "GET /transactions")).json.data;
      await moveMoney(sandbox, "/refunds", { transaction_id, amount: 100, subscription_action: action });
      expect((await eventNames(sandbox)).at(-1)).toBe(event);
    }
  });

  it("unknown subscription fields are rejected", async () => {
    const sandbox = await openSandbox();
    for (const [fields, message] of [
      [{ plan: "Pro" }, 'Unknown field "plan".'],
      [{ billing_interval: "decade" }, 'Invalid value for "billing_interval": must be one of day, week, month, year.'],
      [{ customer_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6" }, "Customer not found"],
    ] as const) {
      expect((await control(sandbox, "POST /subscriptions", fields)).json.error.message).toBe(message);
    }
  });

  it("a subscription is billed on the same day, or on the last day of a shorter month", () => {
    expect(nextBillingDate("2026-01-31", "month")).toBe("2026-02-28");
    expect(nextBillingDate("2026-02-28", "month", "2026-01-31")).toBe("2026-03-31");
    expect(nextBillingDate("2026-02-28", "month", "2026-01-28")).toBe("2026-03-28");
    expect(nextBillingDate("2026-03-20", "month", "2026-01-31")).toBe("2026-04-20");
    expect(nextBillingDate("2027-02-28", "year", "2024-02-29")).toBe("2028-02-29");
    expect(nextBillingDate("2026-12-15", "month")).toBe("2027-01-15");
    expect(nextBillingDate("2024-02-29", "year")).toBe("2025-02-28");
    expect(nextBillingDate("2026-12-31", "day")).toBe("2027-01-01");
    expect(nextBillingDate("2026-02-25", "week")).toBe("2026-03-04");
  });
});
