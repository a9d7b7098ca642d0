import { describe, expect, it } from "vitest";
import { anId, aTime, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { startService } from "../service.ts";
import {
  listen,
  netOfOrder,
  openSession,
  paidSession,
  pay,
  paymentEvents,
  readTransaction,
  refund,
  transactionOf,
} from "../steps.ts";

describe("Transactions", () => {
  const service = startService();

  it("a paid session's transaction has these fields and values", async () => {
    const shop = await service.merchant();
    const metadata = { order_id: "1042" };
    const { sessionId, transactionId } = await paidSession(service, shop.call, { metadata, quantity: 2 }, "wave");
    expect((await readTransaction(shop.call, transactionId)).body).toMatchObject({
      transaction_id: transactionId,
      public_id: expect.stringMatching(/^txn_/),
      organization_id: shop.organizationId,
      customer_id: anId,
      product_id: null,
      price_id: null,
      subscription_id: null,
      checkout_session_id: sessionId,
      transaction_type: "payment",
      status: "completed",
      description: expect.any(String),
      quantity: 2,
      gross_amount: 5000,
      discount_amount: 0,
      fee_amount: 125,
      net_amount: netOfOrder,
      refunded_amount: 0,
      currency_code: "XOF",
      provider_code: "WAVE",
      payment_method_code: "MOBILE_MONEY",
      is_bnpl: false,
      is_pos: false,
      metadata,
      environment: "test",
      created_at: aTime,
      updated_at: aTime,
    });
  });

  it("the fields of the service's own transfers (spi_…) are null", async () => {
    const { transactionId } = await paidSession(service, service.call);
    const fields = Object.entries(Object((await readTransaction(service.call, transactionId)).body));
    const spi = fields.filter(([name]) => name.startsWith("spi_"));
    expect(spi.length).toBeGreaterThan(0);
    expect(spi.map(([, value]) => value)).toEqual(spi.map(() => null));
  });

  it.each([
    ["card", "CARD", "CARDS"],
    ["wave", "WAVE", "MOBILE_MONEY"],
    ["mtn", "MTN", "MOBILE_MONEY"],
  ])("a payment by %s has the provider %s and the method %s", async (method, provider_code, payment_method_code) => {
    const { transactionId } = await paidSession(service, service.call, {}, method);
    expect((await readTransaction(service.call, transactionId)).body).toMatchObject({
      provider_code,
      payment_method_code,
    });
  });

  it.each([
    [5000, 125],
    [5010, 125],
    [5020, 126],
    [5019, 125],
    [100, 3],
    [139, 3],
    [140, 4],
  ])("the fee of %d is %d: 2.5 percent rounded half up; net is gross less fee", async (amount, fee) => {
    const { transactionId } = await paidSession(service, service.call, { amount }, "wave");
    expect((await readTransaction(service.call, transactionId)).body).toMatchObject({
      gross_amount: amount,
      fee_amount: fee,
      net_amount: amount - fee,
    });
  });

  it("a transaction is read by its UUID and by its public id", async () => {
    const { transactionId } = await paidSession(service, service.call);
    const byId = await readTransaction(service.call, transactionId);
    expect((await readTransaction(service.call, byId.text("public_id"))).body).toEqual(byId.body);
  });

  it("an unknown id gives 404 not_found", async () => {
    for (const id of [unknownId, "txn_22222222222222"]) {
      expectRefusal(await service.call("GET /transactions/{id}", { params: { id } }), 404, "not_found", / not found$/);
    }
  });

  it("a transaction starts as pending with PAYMENT_CREATED when the shopper starts a method", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const id = (await openSession(shop.call)).text("id");
    expect((await shop.call("GET /transactions")).number("total_count")).toBe(0);
    await pay(service, id, "wave", "pending");
    const [event] = await receiver.wait(1, "PAYMENT_CREATED");
    const transactionId = await transactionOf(shop.call, id);
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("pending");
    expect(event?.body.data).toMatchObject({ transaction_id: transactionId, status: "pending" });
  });

  it.each([
    ["complete", "completed", "PAYMENT_SUCCEEDED"],
    ["fail", "failed", "PAYMENT_FAILED"],
  ])("a pending transaction after the action %s is %s and sends %s", async (action, status, event) => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "mtn", "pending");
    const transactionId = await transactionOf(shop.call, id);
    await service.control(`POST /transactions/${transactionId}/${action}`);
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe(status);
    const [delivery] = await receiver.wait(1, event);
    expect(delivery?.body.data).toMatchObject({ transaction_id: transactionId, status });
  });

  it("a final transaction neither completes nor fails again", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    const { receiver } = await listen(service, shop.call, paymentEvents);
    for (const action of ["complete", "fail"])
      await service.tryControl(`POST /transactions/${transactionId}/${action}`);
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("completed");
    expect(await receiver.waitBriefly()).toEqual([]);
  });

  it("a payment with a challenged card is pending until the challenge is decided", async () => {
    const shop = await service.merchant();
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "card", "challenge");
    const transactionId = await transactionOf(shop.call, id);
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("pending");
    await service.control(`POST /transactions/${transactionId}/complete`);
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("completed");
  });

  it("a transaction sums its completed refunds in refunded_amount and is refunded once the sum is its gross amount", async () => {
    const { transactionId } = await paidSession(service, service.call);
    await refund(service.call, transactionId, 1000);
    const partly = await readTransaction(service.call, transactionId);
    expect(partly.body).toMatchObject({ status: "completed", refunded_amount: 1000 });
    await refund(service.call, transactionId, 4000);
    const wholly = await readTransaction(service.call, transactionId);
    expect(wholly.body).toMatchObject({ status: "refunded", refunded_amount: 5000, gross_amount: 5000 });
  });

  it("a transaction's metadata contains the session's integration_source", async () => {
    const { transactionId } = await paidSession(service, service.call, { integration_source: "woocommerce" });
    const transaction = await readTransaction(service.call, transactionId);
    expect(transaction.text("metadata.integration_source")).toBe("woocommerce");
  });
});
