import { describe, expect, it } from "vitest";
import { anId, aTime } from "../../answer.ts";
import { startService } from "../../service.ts";
import {
  listen,
  netOfOrder,
  openSession,
  paidSession,
  pay,
  paymentEvents,
  readSession,
  readTransaction,
} from "../../steps.ts";
import { dataOf } from "./event-data.ts";

const envelopeFields = ["id", "event", "timestamp", "data", "service_environment"];

// biome-ignore format: several names per line are easier to read
const transactionFields = [
  "transaction_id", "public_id", "organization_id", "customer_id", "checkout_session_id", "transaction_type",
  "status", "description", "quantity", "gross_amount", "discount_amount", "fee_amount", "net_amount",
  "refunded_amount", "currency_code", "provider_code", "payment_method_code", "product_id", "price_id",
  "subscription_id", "metadata", "environment", "created_at", "updated_at",
];
const failedTransactionFields = [...transactionFields, "failure_code", "failure_message"];

describe("Events of a payment", () => {
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
    expect(data).toMatchObject({ status: "completed", fee_amount: 125, net_amount: netOfOrder, provider_code: "WAVE" });
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
