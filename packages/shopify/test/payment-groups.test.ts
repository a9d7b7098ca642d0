import { money, type Receipt } from "@tillkit/core";
import type { PaymentSession } from "@tillkit/shopify-simulator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AppFixture, openAppFixture } from "./app-fixture.ts";

const TOTAL = money(5_000, "XOF");
const MINUTE = 60_000;

let fixture: AppFixture;
beforeEach(async () => {
  fixture = await openAppFixture();
});
afterEach(() => fixture.close());

/** Marks a session paid, which resolves it in Shopify. All sessions of one checkout have the same group, of which one is paid. */
async function markPaid({ group, gid }: PaymentSession, paymentId: string) {
  const receipt: Receipt = {
    paymentId,
    ref: { storeId: fixture.shop.domain, orderId: group },
    attempt: gid,
    sessionId: `session-of-${paymentId}`,
    transactionId: null,
    paid: TOTAL,
    total: TOTAL,
    environment: "test",
    fence: 1,
  };
  return await (await fixture.adapter()).markPaid(receipt);
}

/** The sessions of one checkout that is open in two tabs. */
async function openTabs() {
  const { session: first } = await fixture.shop.startPayment({ total: TOTAL, test: true });
  const { session: second } = await fixture.shop.openTab(first.group);
  return { first, second };
}

const resolvedGids = () => fixture.shop.record.effectsOf("resolved").map(({ id }) => id);

describe("two payments of one group", () => {
  test("the first payment of a group resolves it, and the second is refused as another payment", async () => {
    const { first, second } = await openTabs();
    expect(await markPaid(first, "payment-1")).toMatchObject({ outcome: "recorded" });
    expect(await markPaid(second, "payment-2")).toMatchObject({ outcome: "other-payment" });
    expect(resolvedGids()).toEqual([first.gid]);
  });

  test.each([
    ["a locked shop", { status: 423 as const }],
    ["a refused token", { status: 401 as const, times: 2 }],
  ])("a second payment can resolve the group after the first one met %s", async (_faultDescription, fault) => {
    const { first, second } = await openTabs();
    fixture.simulator.faults.add({ on: "paymentSessionResolve", ...fault });
    await expect(markPaid(first, "payment-1")).rejects.toMatchObject({ name: "StoreError" });
    expect(await markPaid(second, "payment-2")).toMatchObject({ outcome: "recorded" });
    expect(await markPaid(first, "payment-1")).toMatchObject({ outcome: "other-payment" });
    expect(resolvedGids()).toEqual([second.gid]);
  });

  test.each(["before", "after"] as const)(
    "a group belongs to the first payment although the resolve lost its connection %s Shopify executed it",
    async (when) => {
      const { first, second } = await openTabs();
      fixture.simulator.faults.add({ on: "paymentSessionResolve", reset: true, when });
      await expect(markPaid(first, "payment-1")).rejects.toMatchObject({ code: "unknown" });
      expect(await markPaid(second, "payment-2")).toMatchObject({ outcome: "other-payment" });
      expect(await markPaid(first, "payment-1")).toMatchObject({ outcome: "recorded" });
      expect(resolvedGids()).toEqual([first.gid]);
    },
  );
});

describe("a resolve that Shopify refuses without an error code", () => {
  /** Shopify lost our answer to its post, so it refused a first resolve. It then posted again and received the answer. */
  async function openSessionAfterRefusal() {
    const session = fixture.shop.openCheckout({ total: TOTAL, test: true });
    await fixture.shop.postPayment(session, { loseAnswer: true });
    await expect(markPaid(session, "payment-1")).rejects.toMatchObject({ code: "unavailable" });
    await fixture.shop.postPayment(session);
    return session;
  }

  test("a refused resolve is repeated while Shopify may not have received our answer to its post", async () => {
    expect(await markPaid(await openSessionAfterRefusal(), "payment-1")).toMatchObject({ outcome: "recorded" });
  });

  test("another payment can resolve the group after a refused resolve", async () => {
    const session = await openSessionAfterRefusal();
    expect(await markPaid(session, "payment-2")).toMatchObject({ outcome: "recorded" });
    expect(await markPaid(session, "payment-1")).toMatchObject({ outcome: "other-payment" });
    expect(resolvedGids()).toEqual([session.gid]);
  });

  test("a resolve that is still refused fifteen minutes after the last post waits for the owner", async () => {
    const session = fixture.shop.openCheckout({ total: TOTAL, test: true });
    await fixture.shop.postPayment(session, { loseAnswer: true });
    await fixture.clock.advance(14 * MINUTE);
    await expect(markPaid(session, "payment-1")).rejects.toMatchObject({ code: "unavailable" });
    await fixture.shop.postPayment(session, { loseAnswer: true });
    await fixture.clock.advance(14 * MINUTE);
    await expect(markPaid(session, "payment-1")).rejects.toMatchObject({ code: "unavailable" });
    await fixture.clock.advance(2 * MINUTE);
    await expect(markPaid(session, "payment-1")).rejects.toMatchObject({ code: "owner" });
  });

  test("a refused resolve of a session that was pending for too long is final", async () => {
    const { first } = await openTabs();
    const adapter = await fixture.adapter();
    await adapter.markPending?.(
      { storeId: fixture.shop.domain, orderId: first.group },
      first.gid,
      fixture.clock.now() + MINUTE,
    );
    await fixture.clock.advance(2 * MINUTE);
    expect(await markPaid(first, "payment-1")).toMatchObject({ outcome: "not-payable" });
    expect(resolvedGids()).toEqual([]);
  });
});

test("a session is never pending for longer than Shopify allows", async () => {
  const { first } = await openTabs();
  const adapter = await fixture.adapter();
  const ref = { storeId: fixture.shop.domain, orderId: first.group };
  await adapter.markPending?.(ref, first.gid, fixture.clock.now() + 90 * 24 * 60 * MINUTE);
  expect(first.state).toBe("pending");
  expect(first.pendingExpiresAt).toBeLessThanOrEqual(fixture.clock.now() + 3 * 24 * 60 * MINUTE);
});
