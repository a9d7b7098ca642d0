import { describe, expect, it } from "vitest";
import { hour, minute, second, startService } from "../service.ts";
import {
  listen,
  openSession,
  paidSession,
  pay,
  paymentEvents,
  readSession,
  readTransaction,
  refund,
  transactionOf,
} from "../steps.ts";

const paymentAndRefundEvents = [...paymentEvents, "REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED"];

describe("The life of a checkout session", () => {
  const service = startService();

  it("a new session is open", async () => {
    expect((await openSession(service.call)).text("status")).toBe("open");
  });

  it.each(["card", "wave", "mtn"])(
    "a session is completed by a payment by %s, with its transaction and PAYMENT_SUCCEEDED",
    async (method) => {
      const shop = await service.merchant();
      const { receiver } = await listen(service, shop.call, paymentEvents);
      const { sessionId, transactionId } = await paidSession(service, shop.call, {}, method);
      expect((await readSession(shop.call, sessionId)).text("status")).toBe("completed");
      expect((await readTransaction(shop.call, transactionId)).body).toMatchObject({
        status: "completed",
        checkout_session_id: sessionId,
        gross_amount: 5000,
        currency_code: "XOF",
      });
      const [event] = await receiver.wait(1, "PAYMENT_SUCCEEDED");
      expect(event?.body.data).toMatchObject({ transaction_id: transactionId, status: "completed" });
    },
  );

  it("a session expires when expires_at passes, without an event", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentAndRefundEvents);
    const id = (await openSession(shop.call)).text("id");
    await service.advance(hour - 10 * second);
    expect((await readSession(shop.call, id)).text("status")).toBe("open");
    await service.advance(11 * second);
    expect((await readSession(shop.call, id)).text("status")).toBe("expired");
    expect(await receiver.waitBriefly()).toEqual([]);
  });

  it("an expiring session ends its pending transaction without an event", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentAndRefundEvents);
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "wave", "pending");
    const transactionId = await transactionOf(shop.call, id);
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("pending");
    await service.control(`POST /checkout-sessions/${id}/expire`);
    expect((await readSession(shop.call, id)).text("status")).toBe("expired");
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("expired");
    expect((await receiver.waitBriefly()).map(({ event }) => event)).toEqual(["PAYMENT_CREATED"]);
  });

  it("a session stays open when a payment fails, with PAYMENT_FAILED, and can still be paid", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "card", "failed");
    expect((await readSession(shop.call, id)).body).toMatchObject({ status: "open", transaction_id: null });
    const [event] = await receiver.wait(1, "PAYMENT_FAILED");
    expect(event?.body.data).toMatchObject({ status: "failed", checkout_session_id: id });
    await pay(service, id, "wave");
    expect((await readSession(shop.call, id)).text("status")).toBe("completed");
    const rows = (await shop.call("GET /transactions")).rows("data");
    expect(rows.map((row) => row.status)).toEqual(["completed", "failed"]);
  });

  it("a session stays open while a payment is pending", async () => {
    const shop = await service.merchant();
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "mtn", "pending");
    expect((await readSession(shop.call, id)).body).toMatchObject({ status: "open", transaction_id: null });
  });

  it("a session is completed when its pending payment completes, and stays open when that payment fails", async () => {
    const shop = await service.merchant();
    const completing = (await openSession(shop.call)).text("id");
    const failing = (await openSession(shop.call)).text("id");
    for (const id of [completing, failing]) await pay(service, id, "wave", "pending");
    await service.control(`POST /transactions/${await transactionOf(shop.call, completing)}/complete`);
    await service.control(`POST /transactions/${await transactionOf(shop.call, failing)}/fail`);
    expect((await readSession(shop.call, completing)).text("status")).toBe("completed");
    expect((await readSession(shop.call, failing)).text("status")).toBe("open");
  });

  it("a completed session neither expires nor is paid again", async () => {
    const shop = await service.merchant();
    const { sessionId, transactionId } = await paidSession(service, shop.call);
    const again = await service.tryControl(`POST /checkout-sessions/${sessionId}/pay`, {
      method: "card",
      outcome: "completed",
    });
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(again.status).toBeLessThan(500);
    await service.advance(2 * hour);
    expect((await readSession(shop.call, sessionId)).body).toMatchObject({
      status: "completed",
      transaction_id: transactionId,
    });
    expect((await shop.call("GET /transactions")).number("total_count")).toBe(1);
  });

  it("an expired session takes no new payment", async () => {
    const id = (await openSession(service.call)).text("id");
    await service.control(`POST /checkout-sessions/${id}/expire`);
    const answer = await service.tryControl(`POST /checkout-sessions/${id}/pay`, {
      method: "card",
      outcome: "completed",
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await readSession(service.call, id)).text("status")).toBe("expired");
  });

  it("a refund does not change the session", async () => {
    const { sessionId, transactionId } = await paidSession(service, service.call);
    await refund(service.call, transactionId, 5000);
    expect((await readSession(service.call, sessionId)).text("status")).toBe("completed");
    expect((await readTransaction(service.call, transactionId)).text("status")).toBe("refunded");
  });

  it("a payment that starts before the session expires and is confirmed afterwards completes the session", async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, paymentEvents);
    const id = (await openSession(shop.call)).text("id");
    await pay(service, id, "wave", "pending");
    const transactionId = await transactionOf(shop.call, id);
    await service.advance(hour + minute);
    expect((await readSession(shop.call, id)).text("status")).toBe("expired");
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("expired");
    await service.control(`POST /transactions/${transactionId}/complete`);
    expect((await readSession(shop.call, id)).body).toMatchObject({
      status: "completed",
      transaction_id: transactionId,
    });
    expect((await readTransaction(shop.call, transactionId)).text("status")).toBe("completed");
    await receiver.wait(1, "PAYMENT_SUCCEEDED");
  });
});
