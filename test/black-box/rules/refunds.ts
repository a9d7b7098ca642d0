import { describe, expect, it } from "vitest";
import { type Answer, anId, aTime, expectInvalid, expectRefusal } from "../answer.ts";
import { unknownId } from "../operations.ts";
import { minute, type Send, startService } from "../service.ts";
import {
  balanceOf,
  listen,
  netOfOrder,
  openSession,
  paidSession,
  pay,
  readTransaction,
  refund,
  transactionOf,
} from "../steps.ts";

const refundEvents = ["REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED"];

describe("Refunds", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const read = (call: Send, made: Answer) => call("GET /refunds/{id}", { params: { id: made.text("refund_id") } });
  const post = (call: Send, body: object) => call("POST /refunds", { body });

  it("a refund completes at once with a test key", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    const made = await refund(shop.call, transactionId, 5000);
    expect(made.body).toMatchObject({
      success: true,
      refund_id: anId,
      transaction_id: transactionId,
      refunded_amount: 5000,
      status: "completed",
      message: expect.any(String),
    });
  });

  it("a refund is read with these fields and values", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call, { metadata: { order_id: "1042" } });
    const made = await refund(shop.call, transactionId, 2000, { reason: "requested_by_customer" });
    const answer = await read(shop.call, made);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      refund_id: made.text("refund_id"),
      transaction_id: transactionId,
      amount: 2000,
      refunded_amount: 2000,
      fee_amount: 0,
      reason: "requested_by_customer",
      status: "completed",
      currency_code: "XOF",
      environment: "test",
      created_at: aTime,
      updated_at: aTime,
    });
    expect((await shop.call("GET /refunds")).rows("data")).toEqual([answer.body]);
  });

  it("a refund sends REFUND_CREATED, then REFUND_COMPLETED", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, refundEvents);
    const { sessionId, transactionId } = await paidSession(service, shop.call);
    const refund_id = (await refund(shop.call, transactionId, 2000)).text("refund_id");
    const common = { refund_id, transaction_id: transactionId, checkout_session_id: sessionId, amount: 2000 };
    const [created] = await receiver.wait(1, "REFUND_CREATED");
    expect(created?.body.data).toMatchObject({ ...common, status: "pending" });
    const [completed] = await receiver.wait(1, "REFUND_COMPLETED");
    expect(completed?.body.data).toMatchObject({ ...common, status: "completed", refunded_amount: 2000 });
  });

  it("a refund subtracts from the balance", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    await refund(shop.call, transactionId, 2000);
    expect(await balanceOf(shop)).toBe(netOfOrder - 2000);
  });

  it("a refund accepts the transaction's public id too", async () => {
    const { transactionId } = await paidSession(service, service.call);
    const publicId = (await readTransaction(service.call, transactionId)).text("public_id");
    expect((await refund(service.call, publicId, 100)).text("transaction_id")).toBe(transactionId);
  });

  it("a refund needs a transaction and an amount", async () => {
    expectInvalid(await post(service.call, { amount: 100 }), "transaction_id");
    expectInvalid(await post(service.call, { transaction_id: unknownId }), "amount");
    expectInvalid(await post(service.call, { transaction_id: 5, amount: 100 }), "transaction_id");
  });

  it("a refund of a transaction that is unknown or belongs to another organization gives 404 not_found", async () => {
    const { transactionId } = await paidSession(service, (await service.merchant()).call);
    for (const transaction_id of [transactionId, unknownId, "txn_22222222222222"]) {
      expectRefusal(await post(service.call, { transaction_id, amount: 100 }), 404, "not_found", / not found$/);
    }
  });

  it("a refund of a pending or failed transaction gives 409 conflict", async () => {
    const shop = await service.merchant();
    for (const outcome of ["pending", "failed"]) {
      const id = (await openSession(shop.call)).text("id");
      await pay(service, id, "wave", outcome);
      const transaction_id = await transactionOf(shop.call, id);
      expectRefusal(await post(shop.call, { transaction_id, amount: 100 }), 409, "conflict");
    }
  });

  it("a refund of a fully refunded transaction gives 409 conflict", async () => {
    const { transactionId } = await paidSession(service, service.call);
    await refund(service.call, transactionId, 5000);
    expectRefusal(await post(service.call, { transaction_id: transactionId, amount: 1 }), 409, "conflict");
  });

  it("a refund above the remaining amount gives 400 amount_invalid, and pending refunds count", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    const tryRefund = (amount: number) => post(shop.call, { transaction_id: transactionId, amount });
    expectRefusal(await tryRefund(5001), 400, "amount_invalid");
    await refund(shop.call, transactionId, 2000);
    expectRefusal(await tryRefund(3001), 400, "amount_invalid");
    await service.withSettings({ refunds: "pending" }, () => refund(shop.call, transactionId, 2000));
    expectRefusal(await tryRefund(1001), 400, "amount_invalid");
    expect((await tryRefund(1000)).status).toBe(201);
  });

  it("refund_type full needs the whole amount", async () => {
    const { transactionId } = await paidSession(service, service.call);
    const body = { transaction_id: transactionId, amount: 4999, refund_type: "full" };
    expectRefusal(await post(service.call, body), 400, "validation_failed");
    expectInvalid(await post(service.call, { ...body, refund_type: "most" }), "refund_type");
    expect((await post(service.call, { ...body, refund_type: "partial" })).status).toBe(201);
  });

  it.each(["default", "cancel", "pause", "none"])("subscription_action may be %s", async (subscription_action) => {
    const { transactionId } = await paidSession(service, service.call);
    const more = { subscription_action, reverse_transfer: true, refund_application_fee: false };
    expect((await refund(service.call, transactionId, 100, more)).status).toBe(201);
    const wrong = { transaction_id: transactionId, amount: 100, subscription_action: "forget" };
    expectInvalid(await post(service.call, wrong), "subscription_action");
  });

  it.each([
    ["complete", "completed", "REFUND_COMPLETED", 2000],
    ["fail", "failed", "REFUND_FAILED", 0],
  ])(
    "a pending refund after the action %s is %s, sends %s and adds %d to the refunded amount",
    async (action, status, event, refunded) => {
      const shop = await service.merchant();
      const { receiver } = await listen(service, shop.call, refundEvents);
      const { transactionId } = await paidSession(service, shop.call);
      const made = await service.withSettings({ refunds: "pending" }, () => refund(shop.call, transactionId, 2000));
      expect(made.text("status")).toBe("pending");
      await receiver.wait(1, "REFUND_CREATED");
      expect((await readTransaction(shop.call, transactionId)).number("refunded_amount")).toBe(0);
      await service.control(`POST /refunds/${made.text("refund_id")}/${action}`);
      expect((await read(shop.call, made)).text("status")).toBe(status);
      const [delivery] = await receiver.wait(1, event);
      expect(delivery?.body.data).toMatchObject({ status, refunded_amount: refunded });
      expect((await readTransaction(shop.call, transactionId)).number("refunded_amount")).toBe(refunded);
      expect(await balanceOf(shop)).toBe(netOfOrder - refunded);
    },
  );

  it("the refund list is filtered by status", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    const done = (await refund(shop.call, transactionId, 1000)).text("refund_id");
    const pending = await service.withSettings({ refunds: "pending" }, () => refund(shop.call, transactionId, 1000));
    const ids = async (status: string) =>
      (await shop.call("GET /refunds", { query: { status } })).rows("data").map((row) => row.refund_id);
    expect(await ids("completed")).toEqual([done]);
    expect(await ids("pending")).toEqual([pending.text("refund_id")]);
    expect(await ids("failed")).toEqual([]);
  });

  it("a refund that is unknown or belongs to another organization or environment gives 404 not_found", async () => {
    const shop = await service.merchant();
    const made = await refund(shop.call, (await paidSession(service, shop.call)).transactionId, 100);
    expectRefusal(await read(service.call, made), 404, "not_found", / not found$/);
    expectRefusal(await read(shop.live, made), 404, "not_found");
  });
});

describe("Confirmation in two steps", () => {
  const service = startService({ settings: { confirmation: "required", ratePolicy: "off" } });

  it("the first request shows a preview and moves nothing; the second, under the same key, moves the money", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    const call = { body: { transaction_id: transactionId, amount: 2000 }, idempotencyKey: "refund" };
    const preview = await shop.call("POST /refunds", call);
    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({ requires_confirmation: true, expires_at: aTime, preview: expect.any(Object) });
    expect((await shop.call("GET /refunds")).number("total_count")).toBe(0);
    const body = { ...call.body, confirmation_token: preview.text("confirmation_token") };
    const done = await shop.call("POST /refunds", { ...call, body });
    expect(done.status).toBe(201);
    expect(done.headers.has("Idempotency-Cache-Hit")).toBe(false);
    const again = await shop.call("POST /refunds", { ...call, body });
    expect(again.headers.get("Idempotency-Cache-Hit")).toBe("true");
    expect((await readTransaction(shop.call, transactionId)).number("refunded_amount")).toBe(2000);
  });

  it("a confirmation token that is wrong, expired or for another amount gives 400", async () => {
    const { transactionId } = await paidSession(service, service.call);
    const body = { transaction_id: transactionId, amount: 2000 };
    const token = async () => (await service.call("POST /refunds", { body })).text("confirmation_token");
    const expectRefused = async (change: object) => {
      const answer = await service.call("POST /refunds", { body: { ...body, ...change } });
      expectRefusal(answer, 400, "bad_request", "confirmation_token is invalid or expired");
    };
    await expectRefused({ confirmation_token: "nonsense" });
    await expectRefused({ confirmation_token: await token(), amount: 1000 });
    const expired = await token();
    await service.advance(11 * minute);
    await expectRefused({ confirmation_token: expired });
  });

  it("payouts and settlements are previewed too", async () => {
    const shop = await service.merchant();
    await paidSession(service, shop.call);
    const recipient = { name: "Awa", phone: "+2250700000000" };
    const payout = { destination: "beneficiary", rail: "bank", amount: 1000, currency_code: "XOF", recipient };
    const preview = await shop.call("POST /payouts", { body: payout });
    expect(preview.body).toMatchObject({ requires_confirmation: true });
    expect(await balanceOf(shop)).toBe(netOfOrder);
    const confirmation_token = preview.text("confirmation_token");
    expect((await shop.call("POST /payouts", { body: { ...payout, confirmation_token } })).status).toBe(201);
    expect(await balanceOf(shop)).toBe(netOfOrder - payout.amount);
  });
});
