import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { givenPayments, NOON, ORDER, payment } from "./samples.ts";

const MINUTE = 60_000;
const OTHER_ORDER = { ...ORDER, orderId: `${ORDER.orderId}-2` };
const OTHER_STORE = { storeId: "shoes", orderId: ORDER.orderId };

export function testOrderLocks(getLedger: GetLedger): void {
  const lock = (now: number, worker = "worker-1", ref = ORDER) => getLedger().lockOrder(ref, worker, now, MINUTE);
  /** Locks the order and returns the fence. Fails the test when another worker holds the order. */
  const lockOrFail = async (now: number, worker?: string) =>
    (await lock(now, worker)) ?? expect.fail("another worker holds the order");
  /** Commits this version of p1 under this fence of the order. */
  const commitUnder = (fence: number, { version }: { readonly version: number }) => {
    const storedVersion = version - 1;
    return getLedger().commit({
      fence: { ref: ORDER, value: fence },
      payment: { next: payment("p1", { version, checks: version }), expect: storedVersion },
      timeline: [],
    });
  };

  it("an order's lease belongs to one worker until it expires", async () => {
    expect(await lock(NOON)).toEqual(expect.any(Number));
    expect(await lock(NOON + MINUTE - 1, "worker-2")).toBeNull();
    expect(await lock(NOON + MINUTE, "worker-2")).toEqual(expect.any(Number));
  });

  it("an order cannot be locked twice, not even by the same worker", async () => {
    await lock(NOON);
    expect(await lock(NOON)).toBeNull();
  });

  it("other orders can be locked while one order is locked", async () => {
    await lock(NOON);
    for (const other of [OTHER_ORDER, OTHER_STORE]) {
      expect(await lock(NOON, "worker-2", other)).toEqual(expect.any(Number));
    }
  });

  it("each lock of an order returns a greater fence, also after an unlock", async () => {
    const first = await lockOrFail(NOON);
    await getLedger().unlockOrder(ORDER, first);
    const second = await lockOrFail(NOON);
    const third = await lockOrFail(NOON + MINUTE, "worker-2");
    await getLedger().unlockOrder(ORDER, third);
    const fourth = await lockOrFail(NOON);
    expect(first < second && second < third && third < fourth).toBe(true);
  });

  it("a late unlock does not release the lock of a newer holder", async () => {
    const old = await lockOrFail(NOON);
    await lock(NOON + MINUTE, "worker-2");
    await getLedger().unlockOrder(ORDER, old);
    expect(await lock(NOON + MINUTE + 1)).toBeNull();
  });

  it("renewOrder extends a lease, and returns false when the lease was lost", async () => {
    const fence = await lockOrFail(NOON);
    expect(await getLedger().renewOrder(ORDER, fence, NOON + 30_000, MINUTE)).toBe(true);
    expect(await lock(NOON + MINUTE, "worker-2")).toBeNull();
    await lock(NOON + 90_000, "worker-2");
    expect(await getLedger().renewOrder(ORDER, fence, NOON + 90_000, MINUTE)).toBe(false);
  });

  it("an expired order lease can be renewed until another worker takes it, but not after an unlock", async () => {
    const fence = await lockOrFail(NOON);
    expect(await getLedger().renewOrder(ORDER, fence, NOON + 5 * MINUTE, MINUTE)).toBe(true);
    await getLedger().unlockOrder(ORDER, fence);
    expect(await getLedger().renewOrder(ORDER, fence, NOON + 5 * MINUTE, MINUTE)).toBe(false);
    expect(await getLedger().renewOrder(OTHER_ORDER, fence, NOON, MINUTE)).toBe(false);
  });

  it("only the newest holder of an order's lease can commit", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const old = await lockOrFail(NOON);
    expect(await commitUnder(old, { version: 2 })).toBe("done");
    const newer = await lockOrFail(NOON + MINUTE, "worker-2");
    expect(await commitUnder(old, { version: 3 })).toBe("stale");
    expect(await commitUnder(newer, { version: 3 })).toBe("done");
  });

  it("an old holder cannot commit after a newer holder unlocked the order", async () => {
    await givenPayments(getLedger(), payment("p1"));
    const old = await lockOrFail(NOON);
    const newer = await lockOrFail(NOON + MINUTE, "worker-2");
    await getLedger().unlockOrder(ORDER, newer);
    expect(await commitUnder(old, { version: 2 })).toBe("stale");
  });

  it("a commit with an unknown fence is stale", async () => {
    await givenPayments(getLedger(), payment("p1"));
    expect(await commitUnder(1, { version: 2 })).toBe("stale");
  });

  it("one of twenty concurrent locks of an order succeeds", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => lock(NOON, `worker-${index}`)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  });
}
