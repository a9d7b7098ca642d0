import { money, type Receipt } from "@tillkit/core";
import type { PaymentSession } from "@tillkit/testkit/shopify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppWorld, openAppWorld } from "./world.ts";

const TOTAL = money(5_000, "XOF");
const MINUTE = 60_000;

let world: AppWorld;
beforeEach(async () => {
  world = await openAppWorld();
});
afterEach(() => world.close());

async function tell({ group, gid }: PaymentSession, paymentId: string) {
  const receipt: Receipt = {
    paymentId,
    ref: { storeId: world.shop.domain, orderId: group },
    attempt: gid,
    sessionId: `session-of-${paymentId}`,
    transactionId: null,
    paid: TOTAL,
    total: TOTAL,
    environment: "test",
    fence: 1,
  };
  return await (await world.adapter()).markPaid(receipt);
}

/** Two tabs of one checkout. */
async function openTabs() {
  const { session: first } = await world.shop.startPayment({ total: TOTAL, test: true });
  const { session: second } = await world.shop.openTab(first.group);
  return { first, second };
}

const resolved = () => world.shop.record.of("resolved").map(({ id }) => id);

describe("a group that two payments want", () => {
  test("is the first one's, and the second is told whose", async () => {
    const { first, second } = await openTabs();
    expect(await tell(first, "payment-1")).toMatchObject({
      outcome: "recorded",
      continueUrl: expect.stringContaining("thank_you"),
    });
    expect(await tell(second, "payment-2")).toMatchObject({ outcome: "other-payment" });
    expect(resolved()).toEqual([first.gid]);
  });

  test.each([
    ["a shop that is locked", { status: 423 as const }],
    ["a token that Shopify no longer takes", { status: 401 as const, times: 2 }],
  ])("is free again after %s: certainly nothing was resolved", async (_what, fault) => {
    const { first, second } = await openTabs();
    world.simulator.faults.add({ on: "paymentSessionResolve", ...fault });
    await expect(tell(first, "payment-1")).rejects.toMatchObject({ name: "StoreError" });
    expect(await tell(second, "payment-2")).toMatchObject({ outcome: "recorded" });
    expect(await tell(first, "payment-1")).toMatchObject({ outcome: "other-payment" });
    expect(resolved()).toEqual([second.gid]);
  });

  test.each(["before", "after"] as const)(
    "stays the first one's when its answer was lost %s Shopify did it",
    async (when) => {
      const { first, second } = await openTabs();
      world.simulator.faults.add({ on: "paymentSessionResolve", reset: true, when });
      await expect(tell(first, "payment-1")).rejects.toMatchObject({ code: "unknown" });
      expect(await tell(second, "payment-2")).toMatchObject({ outcome: "other-payment" });
      expect(await tell(first, "payment-1")).toMatchObject({ outcome: "recorded" });
      expect(resolved()).toEqual([first.gid]);
    },
  );
});

describe("a refusal without a code", () => {
  async function openRefused() {
    const session = world.shop.propose({ total: TOTAL, test: true });
    await world.shop.postPayment(session, { loseAnswer: true });
    await expect(tell(session, "payment-1")).rejects.toMatchObject({ code: "unavailable" });
    await world.shop.postPayment(session);
    return session;
  }

  test("is told again while Shopify may not have our answer to its post", async () => {
    expect(await tell(await openRefused(), "payment-1")).toMatchObject({ outcome: "recorded" });
  });

  test("leaves the group free for another payment meanwhile", async () => {
    const session = await openRefused();
    expect(await tell(session, "payment-2")).toMatchObject({ outcome: "recorded" });
    expect(await tell(session, "payment-1")).toMatchObject({ outcome: "other-payment" });
    expect(resolved()).toEqual([session.gid]);
  });

  test("is given to a person fifteen minutes after the last post; what was paid stays paid", async () => {
    const session = world.shop.propose({ total: TOTAL, test: true });
    await world.shop.postPayment(session, { loseAnswer: true });
    await world.clock.advance(14 * MINUTE);
    await expect(tell(session, "payment-1")).rejects.toMatchObject({ code: "unavailable" });
    await world.shop.postPayment(session, { loseAnswer: true });
    await world.clock.advance(14 * MINUTE);
    await expect(tell(session, "payment-1")).rejects.toMatchObject({ code: "unavailable" });
    await world.clock.advance(2 * MINUTE);
    await expect(tell(session, "payment-1")).rejects.toMatchObject({ code: "reconnect" });
  });

  test("of a payment that was pending for too long is final: the money goes back", async () => {
    const { first } = await openTabs();
    const adapter = await world.adapter();
    await adapter.markPending?.(
      { storeId: world.shop.domain, orderId: first.group },
      first.gid,
      world.clock.now() + MINUTE,
    );
    await world.clock.advance(2 * MINUTE);
    expect(await tell(first, "payment-1")).toMatchObject({ outcome: "not-payable" });
    expect(resolved()).toEqual([]);
  });
});

test("pending is never asked for longer than Shopify allows", async () => {
  const { first } = await openTabs();
  const adapter = await world.adapter();
  const ref = { storeId: world.shop.domain, orderId: first.group };
  await adapter.markPending?.(ref, first.gid, world.clock.now() + 90 * 24 * 60 * MINUTE);
  expect(first.state).toBe("pending");
  expect(first.pendingExpiresAt).toBeLessThanOrEqual(world.clock.now() + 3 * 24 * 60 * MINUTE);
});
