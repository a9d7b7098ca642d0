import { expect, it } from "vitest";
import { confirmPayment, limits, StoreError, startCheckout } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const BLIND = { kind: "read-then-write", settleAfterMs: 120_000 } as const;
const ORDER = anOrder();
const DEARER = anOrder({ total: { minor: 7_500, currency: "XOF" } });

async function start(world: SmallWorld, order: typeof ORDER): Promise<string> {
  world.store.order = order;
  return (await startCheckout(world.engine, order)).paymentId ?? "";
}

it("a store is not written while a lost write of another payment of the same order may still take effect", async () => {
  const world = createSmallWorld({ writes: BLIND });
  const first = await start(world, ORDER);
  const second = await start(world, DEARER);
  world.service.pay("session-2");
  world.store.next.push(() => Promise.reject(new StoreError("unknown", "timed out")));
  await confirmPayment(world.engine, second, { actor: "webhook" });
  // The order costs what the first page asked for again, and that page is paid too.
  world.store.order = ORDER;
  await world.clock.advance(limits.confirmAgainMs);
  expect(await confirmPayment(world.engine, second, { actor: "timer" })).toMatchObject({ status: "held" });
  world.service.pay("session-1");
  expect(await confirmPayment(world.engine, first, { actor: "webhook" })).toMatchObject({ status: "recording" });
  expect(world.store.paid).toEqual([]);
  await world.clock.advance(limits.storeCallMs + BLIND.settleAfterMs + limits.clockSkewMs);
  expect(await confirmPayment(world.engine, first, { actor: "timer" })).toMatchObject({ status: "paid" });
  expect(world.store.paid.map(({ paymentId }) => paymentId)).toEqual([first]);
});

it("a process that was delayed after it leased an order renews the lease before it writes to the store", async () => {
  let heldUpMs = 0;
  const world = createSmallWorld({
    watchLedger: (ledger) => ({
      ...ledger,
      async siblings(ref) {
        const ms = heldUpMs;
        heldUpMs = 0;
        if (ms > 0) await world.clock.advance(ms);
        return await ledger.siblings(ref);
      },
    }),
  });
  const paymentId = await start(world, ORDER);
  world.service.pay("session-1");
  let taken: number | null = 0;
  world.store.next.push(async () => {
    await world.clock.advance(2_000);
    taken = await world.ledger.lockOrder(ORDER.ref, "another process", world.clock.now(), limits.orderLeaseMs);
    return "go on";
  });
  heldUpMs = limits.orderLeaseMs - 1_000;
  expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
  expect([heldUpMs, taken]).toEqual([0, null]);
});
