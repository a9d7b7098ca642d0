import { createMemoryLedger } from "@tillkit/core/memory";
import { describe, expect, it } from "vitest";
import { answeredMetadata, unansweredMetadata } from "../src/refunds/refund-metadata.ts";
import { findRepeat } from "../src/refunds/repeated-click.ts";

const KEY = { key: "vendure:1" };
const storeId = "__default_channel__";

/** A refund that Vendure shows. Vendure's `createdAt` is the start of the request's transaction. */
function refundWith(metadata: Record<string, unknown>, createdAt = new Date()) {
  return {
    id: 1,
    createdAt,
    state: "Settled",
    total: 100_000,
    transactionId: "ref_1",
    metadata,
    payment: null as never,
  };
}

describe("a request for a refund of the same amount", () => {
  it("a click that arrived before the slow first click was answered is a repeat, whenever the first began", async () => {
    const minuteAgo = new Date(Date.now() - 60_000);
    const sameAmount = [refundWith(answeredMetadata(KEY), minuteAgo)];
    const click = { storeId, sameAmount, arrivedAt: minuteAgo.getTime() + 1_000 };
    expect(await findRepeat(createMemoryLedger(), click)).toBe("repeated");
  });

  it("a click more than five seconds after the answer is a new decision, and an earlier click is a repeat", async () => {
    const ledger = createMemoryLedger();
    const beforeAnswer = Date.now();
    const sameAmount = [refundWith(answeredMetadata(KEY))];
    expect(await findRepeat(ledger, { storeId, sameAmount, arrivedAt: beforeAnswer + 4_000 })).toBe("repeated");
    expect(await findRepeat(ledger, { storeId, sameAmount, arrivedAt: Date.now() + 6_000 })).toBeNull();
  });

  it("the first click after a refund whose answer nobody got is told about it, and a later click is a new decision", async () => {
    const ledger = createMemoryLedger();
    const beforeFirstClick = Date.now();
    const sameAmount = [refundWith(unansweredMetadata(KEY), new Date(0))];
    expect(await findRepeat(ledger, { storeId, sameAmount, arrivedAt: beforeFirstClick })).toBe("unanswered");
    expect(await findRepeat(ledger, { storeId, sameAmount, arrivedAt: beforeFirstClick })).toBe("repeated");
    expect(await findRepeat(ledger, { storeId, sameAmount, arrivedAt: Date.now() + 6_000 })).toBeNull();
  });

  it("a refund made at the service counts from the time at which Vendure recorded it", async () => {
    const ledger = createMemoryLedger();
    const arrivedAt = Date.now();
    const recorded = (secondsAgo: number) => [refundWith({}, new Date(arrivedAt - secondsAgo * 1_000))];
    expect(await findRepeat(ledger, { storeId, sameAmount: recorded(1), arrivedAt })).toBe("repeated");
    expect(await findRepeat(ledger, { storeId, sameAmount: recorded(6), arrivedAt })).toBeNull();
  });
});
