import { describe, expect, it } from "vitest";
import { startService } from "../../service.ts";
import { listen, paidSession, refund } from "../../steps.ts";
import { dataOf } from "./event-data.ts";

// biome-ignore format: several names per line are easier to read
const refundFields = [
  "refund_id", "transaction_id", "checkout_session_id", "amount", "refunded_amount", "fee_amount", "currency_code",
  "reason", "status", "metadata", "organization_id", "environment", "created_at", "updated_at",
];

const refundEvents = ["REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED"];

describe("Events of a refund", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

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
});
