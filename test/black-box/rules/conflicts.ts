import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { openListeningShop, waitForLogs } from "../listening-shop.ts";
import { startService } from "../service.ts";
import { order, paidSession, refund } from "../steps.ts";

describe("Conflicts name the conflicting resource in error.details", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("a refund of a refunded transaction names the transaction", async () => {
    const shop = await service.merchant();
    const { transactionId } = await paidSession(service, shop.call);
    await refund(shop.call, transactionId, order.amount);
    const again = await shop.call("POST /refunds", { body: { transaction_id: transactionId, amount: order.amount } });
    expectRefusal(again, 409, "conflict");
    expect(again.text("error.details.transaction_id")).toBe(transactionId);
  });

  it("a reused Idempotency-Key names the key and the request that used it first", async () => {
    const shop = await service.merchant();
    const first = await shop.call("POST /checkout-sessions", { body: order, idempotencyKey: "order:7" });
    const other = { body: { ...order, amount: 7000 }, idempotencyKey: "order:7" };
    const answer = await shop.call("POST /checkout-sessions", other);
    expectRefusal(answer, 409, "idempotency_key_reused");
    expect(answer.text("error.details.idempotency_key")).toBe("order:7");
    expect(answer.text("error.details.request_id")).toBe(first.headers.get("X-Request-Id"));
  });

  it("a retry at an inactive endpoint names the webhook", async () => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(400);
    await paidSession(service, shop.call);
    const [log] = await waitForLogs(shop, 1);
    await shop.call("PATCH /webhooks/{id}", { params: { id: shop.id }, body: { is_active: false } });
    const params = { webhook_id: shop.id, log_id: String(log?.id) };
    const answer = await shop.call("POST /webhooks/{webhook_id}/logs/{log_id}/retry", { params });
    expectRefusal(answer, 409, "conflict");
    expect(answer.text("error.details.webhook_id")).toBe(shop.id);
  });
});

describe("Delivery logs by success and failed", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it.each([
    [{ success: true }, [true]],
    [{ success: false }, [false]],
    [{ failed: true }, [false]],
    [{ failed: false }, [true]],
    [{ success: true, failed: true }, [false, true]],
    [{ success: false, failed: false }, []],
    [{}, [false, true]],
  ])("the filter %j selects the logs whose success is one of %j", async (query, selected) => {
    const shop = await openListeningShop(service);
    shop.receiver.answer(200, 404);
    for (let count = 0; count < 2; count += 1) await shop.call("POST /webhooks/{id}/test", { params: { id: shop.id } });
    const answer = await shop.call("GET /webhooks/{id}/logs", { params: { id: shop.id }, query });
    expect(answer.rows().map(({ success }) => success)).toEqual(selected);
  });
});
