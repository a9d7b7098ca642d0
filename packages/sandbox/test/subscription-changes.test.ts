import { describe, expect, it } from "vitest";
import { limits } from "../src/domain/limits.ts";
import type { Sandbox } from "../src/index.ts";
import { delegatedPayment, openNetwork } from "./open-network.ts";
import { api, control, type Json, newEndpoint, newSession, openReceiver, openSandbox } from "./open-sandbox.ts";
import { cardCharge, eventNames, mobileCharge, moveMoney } from "./payments.ts";

const clock = { now: () => Date.parse("2026-05-01T08:00:00.000Z") };
const dayMs = 86_400_000;
const unknownId = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

async function subscribe(sandbox: Sandbox, fields: Json = {}): Promise<Json> {
  return (await control(sandbox, "POST /subscriptions", fields)).json;
}

/** The `data` of the SUBSCRIPTION_UPDATED events, oldest first. */
async function updateEvents(sandbox: Sandbox): Promise<Json[]> {
  const events = await sandbox.control.listEvents();
  return events
    .filter(({ event }) => event === "SUBSCRIPTION_UPDATED")
    .map(({ data }) => data as Json)
    .reverse();
}

describe("a plan change", () => {
  it("the event of a plan change holds the new plan and every replaced value", async () => {
    const sandbox = await openSandbox({ clock });
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["SUBSCRIPTION_UPDATED"] });
    const before = await subscribe(sandbox, { plan_name: "Pro Monthly" });
    const { status, json } = await control(sandbox, `PATCH /subscriptions/${before.subscription_id}`, {
      price_id: unknownId,
      plan_name: "Pro Yearly",
      billing_interval: "year",
      amount: 50_000,
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      price_id: unknownId,
      plan_name: "Pro Yearly",
      billing_interval: "year",
      next_billing_date: "2026-06-01",
    });
    const [received] = await receiver.waitFor(1);
    expect(JSON.parse(received?.body ?? "").data).toMatchObject({
      object: { price_id: unknownId, plan_name: "Pro Yearly", billing_interval: "year" },
      previous_attributes: { price_id: before.price_id, plan_name: "Pro Monthly", billing_interval: "month" },
      context: { source: "merchant_api", actor: "merchant" },
    });
    const renewed = await sandbox.control.renewSubscription(before.subscription_id);
    expect(renewed.next_billing_date).toBe("2027-06-01");
    const { data } = (await api(sandbox, "GET /transactions")).json;
    expect(data).toMatchObject([{ gross_amount: 50_000, description: "Pro Yearly" }]);
  });

  it("a new amount gets a new price, because a price has one amount", async () => {
    const sandbox = await openSandbox({ clock });
    const before = await subscribe(sandbox, { amount: 2000 });
    const after = await sandbox.control.changeSubscription(before.subscription_id, { amount: 3000 });
    expect(after.price_id).not.toBe(before.price_id);
    expect((await updateEvents(sandbox))[0]?.previous_attributes).toEqual({ price_id: before.price_id });
  });

  it("a change to the same values sends no event, and an ended subscription cannot be changed", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id, plan_name, updated_at } = await subscribe(sandbox);
    for (const change of [{}, { plan_name }, { amount: 5000, billing_interval: "month" }]) {
      const { json } = await control(sandbox, `PATCH /subscriptions/${subscription_id}`, change);
      expect(json.updated_at).toBe(updated_at);
    }
    await sandbox.control.cancelSubscription(subscription_id, { at_period_end: true });
    await sandbox.control.cancelSubscription(subscription_id, { at_period_end: true });
    expect(await updateEvents(sandbox)).toHaveLength(1);
    await sandbox.control.cancelSubscription(subscription_id);
    const { status, json } = await control(sandbox, `PATCH /subscriptions/${subscription_id}`, { plan_name: "Late" });
    expect([status, json.error.details]).toEqual([409, { subscription_id, status: "cancelled" }]);
    const unknown = await control(sandbox, `PATCH /subscriptions/${subscription_id}`, { status: "active" });
    expect(unknown.json.error.message).toBe('Unknown field "status".');
  });
});

describe("the source of a change", () => {
  it("a change by the customer has the source customer_portal and the customer as its actor", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox);
    const path = `/subscriptions/${subscription_id}`;
    const source = "customer_portal";
    await control(sandbox, `POST ${path}/pause`, { source });
    await control(sandbox, `POST ${path}/resume`, { source });
    await control(sandbox, `PATCH ${path}`, { plan_name: "Basic", source });
    await control(sandbox, `POST ${path}/cancel`, { at_period_end: true, source });
    const contexts = (await updateEvents(sandbox)).map(({ context }) => context);
    expect(contexts).toEqual(Array(4).fill({ source, actor: "customer" }));
    const { json } = await control(sandbox, `POST ${path}/pause`, { source: "admin" });
    expect(json.error.message).toContain("must be one of merchant_api, customer_portal, cron");
  });
});

describe("the end of a subscription", () => {
  it("a subscription that expires sends SUBSCRIPTION_CANCELLED with the status expired", async () => {
    const sandbox = await openSandbox({ clock });
    const receiver = await openReceiver();
    await newEndpoint(sandbox, receiver.url, { authorized_events: ["SUBSCRIPTION_CANCELLED"] });
    const { subscription_id } = await subscribe(sandbox);
    const { json } = await control(sandbox, `POST /subscriptions/${subscription_id}/expire`);
    expect(json).toMatchObject({ status: "expired", end_date: "2026-05-01", next_billing_date: null });
    const [received] = await receiver.waitFor(1);
    expect(JSON.parse(received?.body ?? "").data).toMatchObject({ subscription_id, status: "expired" });
    const again = await control(sandbox, `POST /subscriptions/${subscription_id}/expire`);
    expect([again.status, again.json.error.details]).toEqual([409, { subscription_id, status: "expired" }]);
  });

  it("a subscription with an end_date expires on that day by itself", async () => {
    const sandbox = await openSandbox({ clock });
    await subscribe(sandbox, { end_date: "2026-05-03" });
    await sandbox.control.advanceClock(dayMs);
    expect(await eventNames(sandbox)).toEqual(["SUBSCRIPTION_CREATED"]);
    await sandbox.control.advanceClock(dayMs);
    const [ended] = await sandbox.control.listEvents();
    expect(ended).toMatchObject({
      event: "SUBSCRIPTION_CANCELLED",
      created_at: "2026-05-03T00:00:00.000Z",
      data: { status: "expired", end_date: "2026-05-03" },
    });
  });

  it("a renewal after the last day expires the subscription and takes no money", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox, { end_date: "2026-06-01" });
    expect(await sandbox.control.renewSubscription(subscription_id)).toMatchObject({ status: "expired" });
    expect((await api(sandbox, "GET /transactions")).json.total_count).toBe(0);
  });

  it("a subscription that is cancelled at the end of its period is active until then", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox);
    await sandbox.control.cancelSubscription(subscription_id, { at_period_end: true });
    await sandbox.control.advanceClock(30 * dayMs);
    expect(await eventNames(sandbox)).toEqual(["SUBSCRIPTION_CREATED", "SUBSCRIPTION_UPDATED"]);
    await sandbox.control.advanceClock(dayMs);
    const [ended] = await sandbox.control.listEvents();
    expect(ended).toMatchObject({
      event: "SUBSCRIPTION_CANCELLED",
      data: { subscription_id, status: "cancelled", end_date: "2026-06-01", cancel_at_period_end: false },
    });
  });
});

describe("many subscriptions that will end", () => {
  it("a cancelled period ends in time although two hundred subscriptions end before the last day of its subscription", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox, { end_date: "2030-01-01" });
    await sandbox.control.cancelSubscription(subscription_id, { at_period_end: true });
    for (let count = 0; count < limits.dueAtOnce; count += 1) await subscribe(sandbox, { end_date: "2029-01-01" });
    await sandbox.control.advanceClock(31 * dayMs);
    const [ended] = await sandbox.control.listEvents();
    expect(ended).toMatchObject({
      event: "SUBSCRIPTION_CANCELLED",
      data: { subscription_id, status: "cancelled", end_date: "2026-06-01" },
    });
  });
});

describe("the subscription that a payment names", () => {
  it("sessions and charges take only a subscription of their own merchant and environment", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox);
    const other = await sandbox.control.createOrganization("Other");
    const ofOtherMerchant = await subscribe(sandbox, { organization_id: other.organization_id });
    const live = await subscribe(sandbox, { environment: "live" });
    const pay = async (id: string) => [
      await api(sandbox, "POST /checkout-sessions", { body: { amount: 5000, subscription_id: id } }),
      await moveMoney(sandbox, "/charge/card", { ...cardCharge, subscription_id: id }),
      await moveMoney(sandbox, "/charge/mtn", { ...mobileCharge, subscriptionId: id }),
    ];
    for (const id of [unknownId, ofOtherMerchant.subscription_id, live.subscription_id]) {
      for (const { status, json } of await pay(id)) {
        expect([status, json.error]).toMatchObject([404, { code: "not_found", message: "Subscription not found" }]);
      }
    }
    for (const { status } of await pay(subscription_id.toUpperCase())) expect(status).toBe(201);
    const { data } = (await api(sandbox, "GET /transactions")).json;
    expect(data.map((row: Json) => row.subscription_id)).toEqual([subscription_id, subscription_id]);
  });

  it("a session, its payment and the events of the payment name the subscription", async () => {
    const sandbox = await openSandbox({ clock });
    const { subscription_id } = await subscribe(sandbox);
    const session = await newSession(sandbox, { subscription_id });
    expect(session.subscription_id).toBe(subscription_id);
    expect((await newSession(sandbox)).subscription_id).toBeNull();
    const transaction = await sandbox.control.paySession(session.id, { method: "card", outcome: "completed" });
    expect(transaction.subscription_id).toBe(subscription_id);
    const [event] = await sandbox.control.listEvents();
    expect(event).toMatchObject({ event: "PAYMENT_SUCCEEDED", data: { subscription_id } });
  });

  it("an Operator can charge for a subscription that its member created", async () => {
    const sandbox = await openSandbox({ clock });
    const network = await openNetwork(sandbox, { capabilities: ["payment.create", "transaction.read_own"] });
    const { subscription_id } = await subscribe(sandbox, { organization_id: network.member.organization_id });
    expect(await delegatedPayment(sandbox, network, { subscription_id })).toMatchObject({ subscription_id });
    const headers = { "Idempotency-Key": "card" };
    const charged = await network.callForMember("POST /charge/card", { ...cardCharge, subscription_id }, headers);
    expect(charged.status).toBe(201);
  });
});
