import { describe, expect, it } from "vitest";
import { startService } from "../service.ts";
import { listen, paidSession } from "../steps.ts";

const disputeEvents = ["DISPUTE_CREATED", "DISPUTE_UPDATED", "DISPUTE_CLOSED"];

describe("Disputes", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const openDispute = async () => {
    const shop = await service.merchant();
    const { receiver } = await listen(service, shop.call, disputeEvents);
    const { transactionId } = await paidSession(service, shop.call);
    const dispute = await service.control("POST /disputes", { transaction_id: transactionId });
    return { receiver, id: dispute.text("dispute_id") };
  };

  it("a change of status or evidence sends DISPUTE_UPDATED", async () => {
    const { receiver, id } = await openDispute();
    await service.control(`PATCH /disputes/${id}`, { evidence: { receipt: "R-7" } });
    await service.control(`PATCH /disputes/${id}`, { status: "resolved" });
    const updates = await receiver.wait(2, "DISPUTE_UPDATED");
    expect(updates.map(({ body }) => Object(body.data).dispute_id)).toEqual([id, id]);
    expect(updates.some(({ body }) => Object(body.data).status === "resolved")).toBe(true);
  });

  it("an update that changes nothing sends no event", async () => {
    const { receiver, id } = await openDispute();
    await receiver.wait(1, "DISPUTE_CREATED");
    for (const change of [{}, { status: "pending" }, { evidence: {} }]) {
      await service.control(`PATCH /disputes/${id}`, change);
    }
    expect((await receiver.waitBriefly()).map(({ event }) => event)).toEqual(["DISPUTE_CREATED"]);
  });

  it("a dispute that reached its terminal state sends DISPUTE_CLOSED once and takes no further change", async () => {
    const { receiver, id } = await openDispute();
    await service.control(`POST /disputes/${id}/close`, { outcome: "lost" });
    const refused = [
      await service.tryControl(`PATCH /disputes/${id}`, { evidence: { receipt: "late" } }),
      await service.tryControl(`POST /disputes/${id}/close`, { outcome: "won" }),
    ];
    for (const answer of refused) expect([answer.status, answer.text("error.details.dispute_id")]).toEqual([409, id]);
    await receiver.wait(1, "DISPUTE_CLOSED");
    expect((await receiver.waitBriefly()).filter(({ event }) => event === "DISPUTE_CLOSED")).toHaveLength(1);
  });
});
