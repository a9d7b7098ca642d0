import { expect, it } from "vitest";
import type { LedgerOfTest } from "./payment-ledger-contract.ts";
import { givenPayments, NOON, ORDER, payment } from "./samples.ts";

const MINUTE = 60_000;
const OTHER_ORDER = { storeId: "shoes", orderId: ORDER.orderId };

export function ordersHaveOneWriter(ledger: LedgerOfTest): void {
  const lock = (now: number, worker = "worker-1", ref = ORDER) => ledger().lockOrder(ref, worker, now, MINUTE);
  const held = async (fence: Promise<number | null>) => (await fence) ?? expect.fail("the order is held by another");
  const commitUnder = (value: number, version: number) =>
    ledger().commit({
      fence: { ref: ORDER, value },
      payment: { next: payment("p1", { version, checks: version }), expect: version - 1 },
      timeline: [],
    });

  it("gives an order to one, and to nobody else before the lease is over", async () => {
    expect(await lock(NOON)).toEqual(expect.any(Number));
    expect(await lock(NOON + MINUTE - 1, "worker-2")).toBeNull();
    expect(await lock(NOON + MINUTE, "worker-2")).toEqual(expect.any(Number));
  });

  it("does not give an order twice, not even to the same worker", async () => {
    await lock(NOON);
    expect(await lock(NOON)).toBeNull();
  });

  it("gives other orders meanwhile", async () => {
    await lock(NOON);
    expect(await lock(NOON, "worker-2", OTHER_ORDER)).toEqual(expect.any(Number));
  });

  it("hands out a greater fence each time, also after the order was given back", async () => {
    const first = await held(lock(NOON));
    await ledger().unlockOrder(ORDER, first);
    const second = await held(lock(NOON));
    const third = await held(lock(NOON + MINUTE, "worker-2"));
    await ledger().unlockOrder(ORDER, third);
    const fourth = await held(lock(NOON));
    expect(first < second && second < third && third < fourth).toBe(true);
  });

  it("does not let a late worker give back what another holds now", async () => {
    const old = await held(lock(NOON));
    await lock(NOON + MINUTE, "worker-2");
    await ledger().unlockOrder(ORDER, old);
    expect(await lock(NOON + MINUTE + 1)).toBeNull();
  });

  it("renews a lease from now on, and says when it was lost", async () => {
    const fence = await held(lock(NOON));
    expect(await ledger().renewOrder(ORDER, fence, NOON + 30_000, MINUTE)).toBe(true);
    expect(await lock(NOON + MINUTE, "worker-2")).toBeNull();
    await lock(NOON + 90_000, "worker-2");
    expect(await ledger().renewOrder(ORDER, fence, NOON + 90_000, MINUTE)).toBe(false);
  });

  it("renews a lease that ran out as long as nobody took the order since, but not one that was given back", async () => {
    const fence = await held(lock(NOON));
    expect(await ledger().renewOrder(ORDER, fence, NOON + 5 * MINUTE, MINUTE)).toBe(true);
    await ledger().unlockOrder(ORDER, fence);
    expect(await ledger().renewOrder(ORDER, fence, NOON + 5 * MINUTE, MINUTE)).toBe(false);
    expect(await ledger().renewOrder(OTHER_ORDER, fence, NOON, MINUTE)).toBe(false);
  });

  it("lets only the newest holder commit", async () => {
    await givenPayments(ledger(), payment("p1"));
    const old = await held(lock(NOON));
    expect(await commitUnder(old, 2)).toBe("done");
    const newer = await held(lock(NOON + MINUTE, "worker-2"));
    expect(await commitUnder(old, 3)).toBe("stale");
    expect(await commitUnder(newer, 3)).toBe("done");
  });

  it("still refuses an old holder after the newer one gave the order back", async () => {
    await givenPayments(ledger(), payment("p1"));
    const old = await held(lock(NOON));
    const newer = await held(lock(NOON + MINUTE, "worker-2"));
    await ledger().unlockOrder(ORDER, newer);
    expect(await commitUnder(old, 2)).toBe("stale");
  });

  it("does not take a fence that it never handed out", async () => {
    await givenPayments(ledger(), payment("p1"));
    expect(await commitUnder(1, 2)).toBe("stale");
  });

  it("has one winner when twenty ask at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => lock(NOON, `worker-${index}`)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  });
}
