import type { OrderRef } from "@tillkit/core";
import { afterEach, describe, expect, test } from "vitest";
import { type FixtureOptions, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let merchant: MerchantFixture;
afterEach(() => merchant.close());

/** Opens a merchant with a paid order whose every signal was lost: no webhook, no return, no scheduled read in the ledger. */
async function openWithLostSignals(options: FixtureOptions = {}): Promise<void> {
  merchant = await openMerchant(options);
  Object.assign(merchant.shop.adapter, {
    async *listUnsettled(): AsyncGenerator<{ ref: OrderRef; attempt: string }> {
      if (merchant.shop.isDown) throw new Error("down");
      if (merchant.shop.order?.paidBy === null) yield merchant.shop.order;
    },
  });
  await merchant.startPayment();
  merchant.service.newest().status = "completed";
  for (const { id } of (await merchant.ledger.listJobs({ limit: 99 })).rows) {
    await merchant.ledger.commit({ finished: [id], timeline: [] });
  }
  merchant.checkout.startTimer();
}

async function advanceTime(ms: number, stepMs = MINUTE): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) await merchant.clock.advance(stepMs);
}

describe("the daily reconciliation", () => {
  test("an order whose every signal was lost is marked paid soon after the server starts", async () => {
    await openWithLostSignals();
    await advanceTime(4 * MINUTE);
    expect(merchant.shop.order?.paidBy).toBeNull();
    await advanceTime(2 * MINUTE);
    await expect.poll(() => merchant.shop.order?.paidBy).toMatch(/-/);
    expect(merchant.lines).toContainEqual(expect.objectContaining({ message: "store.reconciled" }));
  });

  // The work timer runs many thousand times in a day.
  test("a shop that is down at its reconciliation is reconciled the next day", async () => {
    await openWithLostSignals();
    merchant.shop.isDown = true;
    await advanceTime(6 * MINUTE);
    await expect
      .poll(() => merchant.lines)
      .toContainEqual(expect.objectContaining({ message: "store.reconcile_failed" }));
    merchant.shop.isDown = false;
    await advanceTime(DAY, 15 * MINUTE);
    await expect.poll(() => merchant.shop.order?.paidBy).toMatch(/-/);
  });

  test("no order is reconciled when the host turns the daily reconciliation off", async () => {
    await openWithLostSignals({ options: { reconcile: "off" } });
    await advanceTime(10 * MINUTE);
    expect(merchant.shop.order?.paidBy).toBeNull();
  });
});
