import { describe, expect, it } from "vitest";
import { anId, aTime } from "../answer.ts";
import type { Delivery } from "../receiver.ts";
import { type Merchant, startService } from "../service.ts";
import {
  listen,
  openSession,
  paidSession,
  pay,
  paymentEvents,
  readSession,
  readTransaction,
  refund,
} from "../steps.ts";

const envelopeFields = ["id", "event", "timestamp", "data", "service_environment"];

// biome-ignore format: several names per line are easier to read
const transactionFields = [
  "transaction_id", "public_id", "organization_id", "customer_id", "checkout_session_id", "transaction_type",
  "status", "description", "quantity", "gross_amount", "discount_amount", "fee_amount", "net_amount",
  "refunded_amount", "currency_code", "provider_code", "payment_method_code", "product_id", "price_id",
  "subscription_id", "metadata", "environment", "created_at", "updated_at",
];
const failedTransactionFields = [...transactionFields, "failure_code", "failure_message"];

// biome-ignore format: several names per line are easier to read
const refundFields = [
  "refund_id", "transaction_id", "checkout_session_id", "amount", "refunded_amount", "fee_amount", "currency_code",
  "reason", "status", "metadata", "organization_id", "environment", "created_at", "updated_at",
];

// biome-ignore format: several names per line are easier to read
const subscriptionFields = [
  "subscription_id", "organization_id", "customer_id", "product_id", "price_id", "status", "start_date",
  "end_date", "next_billing_date", "plan_name", "billing_interval", "cancel_at_period_end", "metadata",
  "environment", "created_at", "updated_at",
];

// biome-ignore format: several names per line are easier to read
const disputeFields = [
  "dispute_id", "transaction_id", "customer_id", "organization_id", "amount", "currency_code", "reason", "status",
  "outcome", "evidence_due_by", "metadata", "environment", "created_at", "updated_at",
];

const subscriptionEvents = [
  "SUBSCRIPTION_CREATED",
  "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_CANCELLED",
];
const refundEvents = ["REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED"];
const disputeEvents = ["DISPUTE_CREATED", "DISPUTE_UPDATED", "DISPUTE_CLOSED"];

describe("Events", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("an event is an envelope of id, event, timestamp, data and service_environment, in this order", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    await paidSession(service, shop.call);
    for (const delivery of await receiver.wait(2)) {
      expect(Object.keys(delivery.body)).toEqual(envelopeFields);
      expect(delivery.body).toMatchObject({ id: anId, timestamp: aTime, service_environment: "development" });
      expect(delivery.headers["x-service-event"]).toBe(delivery.body.event);
      expect(delivery.raw).toBe(JSON.stringify(delivery.body));
    }
    const [first, second] = receiver.deliveries;
    expect(first?.body.id).not.toBe(second?.body.id);
  });

  it("the data of PAYMENT_CREATED is the pending transaction itself, with no fee yet", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const id = (await openSession(shop.call, { metadata: { order_id: "1042" } })).text("id");
    await pay(service, id, "wave", "pending");
    const data = dataOf(await receiver.wait(1, "PAYMENT_CREATED"));
    expect(Object.keys(data)).toEqual(transactionFields);
    expect(data).toMatchObject({
      status: "pending",
      checkout_session_id: id,
      gross_amount: 5000,
      fee_amount: 0,
      net_amount: 0,
      refunded_amount: 0,
      currency_code: "XOF",
      transaction_type: "payment",
      environment: "test",
    });
  });

  it("the data of PAYMENT_SUCCEEDED is the completed transaction itself, as it is read", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const { sessionId, transactionId } = await paidSession(
      service,
      shop.call,
      { metadata: { order_id: "1042" } },
      "wave",
    );
    const data = dataOf(await receiver.wait(1, "PAYMENT_SUCCEEDED"));
    expect(Object.keys(data)).toEqual(transactionFields);
    const { metadata, ...rest } = data;
    expect((await readTransaction(shop.call, transactionId)).body).toMatchObject(rest);
    expect(metadata).toEqual({ order_id: "1042", checkout_session_id: sessionId });
    expect(data).toMatchObject({ status: "completed", fee_amount: 125, net_amount: 4875, provider_code: "WAVE" });
  });

  it("the data of PAYMENT_FAILED is the failed transaction itself, with failure_code and failure_message", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "card", "failed");
    const data = dataOf(await receiver.wait(1, "PAYMENT_FAILED"));
    expect(Object.keys(data)).toEqual(failedTransactionFields);
    expect(data).toMatchObject({ status: "failed", fee_amount: 0, net_amount: 0, failure_message: expect.any(String) });
    expect([
      "card_declined",
      "insufficient_funds",
      "expired_card",
      "incorrect_cvc",
      "processing_error",
      "authentication_failed",
      "customer_rejected",
      "timeout",
    ]).toContain(data.failure_code);
  });

  it("a payment's events omit internal fields", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    await paidSession(service, shop.call, { integration_source: "woocommerce" });
    for (const { raw } of await receiver.wait(2)) {
      expect(raw).not.toMatch(/is_pos|is_bnpl|spi_|"integration_source"|gross_amount_xof/);
    }
  });

  it("the data of REFUND_CREATED and REFUND_COMPLETED is the refund itself, pending and completed", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, refundEvents);
    const { sessionId, transactionId } = await paidSession(service, shop.call, { metadata: { order_id: "1042" } });
    await refund(shop.call, transactionId, 2000, { reason: "requested_by_customer" });
    const created = dataOf(await receiver.wait(1, "REFUND_CREATED"));
    const completed = dataOf(await receiver.wait(1, "REFUND_COMPLETED"));
    expect([Object.keys(created), Object.keys(completed)]).toEqual([refundFields, refundFields]);
    const common = {
      transaction_id: transactionId,
      checkout_session_id: sessionId,
      amount: 2000,
      fee_amount: 0,
      currency_code: "XOF",
      reason: "requested_by_customer",
      environment: "test",
      organization_id: shop.organizationId,
      metadata: { order_id: "1042" },
    };
    expect(created).toMatchObject({ ...common, status: "pending", refunded_amount: 0 });
    expect(completed).toMatchObject({ ...common, status: "completed", refunded_amount: 2000 });
  });

  it("the data of REFUND_FAILED is the refund itself, with failure_message", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, refundEvents);
    const { transactionId } = await paidSession(service, shop.call);
    const made = await service.withSettings({ refunds: "pending" }, () => refund(shop.call, transactionId, 2000));
    await service.control(`POST /refunds/${made.text("refund_id")}/fail`);
    const data = dataOf(await receiver.wait(1, "REFUND_FAILED"));
    expect(Object.keys(data)).toEqual([...refundFields, "failure_message"]);
    expect(data).toMatchObject({ status: "failed", refunded_amount: 0, failure_message: expect.any(String) });
  });

  /** Creates a subscription of the merchant through the control API. */
  async function subscribe(shop: Merchant): Promise<string> {
    const body = {
      organization_id: shop.organizationId,
      environment: "test",
      plan_name: "Pro Monthly",
      billing_interval: "month",
    };
    return (await service.control("POST /subscriptions", body)).text("subscription_id");
  }

  it("the data of SUBSCRIPTION_CREATED, _RENEWED and _CANCELLED is the subscription itself", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, subscriptionEvents);
    const id = await subscribe(shop);
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
      const id = await subscribe(shop);
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

  it("the data of DISPUTE_CREATED, _UPDATED and _CLOSED is the dispute itself", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, disputeEvents);
    const { transactionId } = await paidSession(service, shop.call);
    const id = (await service.control("POST /disputes", { transaction_id: transactionId })).text("dispute_id");
    const created = dataOf(await receiver.wait(1, "DISPUTE_CREATED"));
    expect(Object.keys(created)).toEqual(disputeFields);
    expect(created).toMatchObject({
      dispute_id: id,
      transaction_id: transactionId,
      organization_id: shop.organizationId,
      amount: 5000,
      currency_code: "XOF",
      status: "pending",
      outcome: null,
      evidence_due_by: aTime,
      environment: "test",
    });
    await service.control(`PATCH /disputes/${id}`, { reason: "fraudulent" });
    const updated = dataOf(await receiver.wait(1, "DISPUTE_UPDATED"));
    expect(Object.keys(updated)).toEqual(disputeFields);
    expect(updated).toMatchObject({ dispute_id: id, reason: "fraudulent", outcome: null });
    await service.control(`POST /disputes/${id}/close`, { outcome: "won" });
    expect(dataOf(await receiver.wait(1, "DISPUTE_CLOSED"))).toMatchObject({
      dispute_id: id,
      status: "closed",
      outcome: "won",
    });
  });

  it("test.webhook has its own envelope with event and type, and a payload that is marked as a test", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await shop.call("POST /webhooks/{id}/test", { params: { id } });
    const [delivery] = await receiver.wait(1);
    const body = delivery?.body ?? {};
    expect(Object.keys(body)).toEqual([
      "id",
      "event",
      "type",
      "timestamp",
      "created",
      "data",
      "livemode",
      "webhook_id",
      "service_environment",
    ]);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^evt_test_/),
      event: "test.webhook",
      type: "test.webhook",
      livemode: false,
      timestamp: aTime,
      created: body.timestamp,
      webhook_id: id,
    });
    const { object } = dataOf([delivery]);
    expect(Object.keys(Object(object))).toEqual([
      "id",
      "organization_id",
      "test",
      "created",
      "status",
      "amount",
      "currency",
      "description",
      "metadata",
    ]);
    expect(object).toMatchObject({
      test: true,
      status: "success",
      amount: 1000,
      currency: "XOF",
      description: "Test event",
      metadata: { test_mode: true, webhook_id: id },
    });
  });

  it("a live endpoint's test event has livemode true", async () => {
    const shop = await service.merchant();
    const { receiver, id } = await listen(service, shop.live, ["PAYMENT_SUCCEEDED"]);
    await shop.live("POST /webhooks/{id}/test", { params: { id } });
    expect((await receiver.wait(1))[0]?.body.livemode).toBe(true);
  });

  it("an event reports the same values as a read of the session", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, ["PAYMENT_SUCCEEDED"]);
    await paidSession(service, shop.call);
    const data = dataOf(await receiver.wait(1));
    const session = await readSession(shop.call, String(data.checkout_session_id));
    expect(session.body).toMatchObject({
      status: "completed",
      transaction_id: data.transaction_id,
      amount: data.gross_amount,
    });
  });
});

function dataOf(deliveries: readonly (Delivery | undefined)[]): Record<string, unknown> {
  const data: unknown = deliveries[0]?.body.data;
  return Object(data);
}
