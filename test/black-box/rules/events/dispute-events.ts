import { describe, expect, it } from "vitest";
import { aTime } from "../../answer.ts";
import { startService } from "../../service.ts";
import { listen, paidSession } from "../../steps.ts";
import { dataOf } from "./event-data.ts";

// biome-ignore format: several names per line are easier to read
const disputeFields = [
  "dispute_id", "transaction_id", "customer_id", "organization_id", "amount", "currency_code", "reason", "status",
  "outcome", "evidence_due_by", "metadata", "environment", "created_at", "updated_at",
];

const disputeEvents = ["DISPUTE_CREATED", "DISPUTE_UPDATED", "DISPUTE_CLOSED"];

describe("Events of a dispute", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

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
});
