import type { Ledger, Order } from "@tillkit/core";
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import { createGate, openTwoLedgers, type TwoLedgers, until, type WrapLedger } from "../fixtures/two-ledgers.ts";

type Gate = ReturnType<typeof createGate>;

/** Stops this process in the old ledger when it calls `method` for the first time after `isArmed`; `before` or after its effect. */
function stopAt(
  method: "commit" | "lockOrder" | "paymentsOfOrder" | "unlockOrder",
  gate: Gate,
  when: "before" | "after",
): WrapLedger {
  let hasStopped = false;
  return (ledger, name) => {
    if (name !== "old") return ledger;
    const call = ledger[method] as (...args: unknown[]) => Promise<unknown>;
    const stopping = async (...args: unknown[]) => {
      const stops = !hasStopped;
      hasStopped = true;
      if (stops && when === "before") await gate.pass();
      const answer = await call(...args);
      if (stops && when === "after") await gate.pass();
      return answer;
    };
    return { ...ledger, [method]: stopping } as Ledger;
  };
}

/** The order has payments in one ledger only, and exactly one of them can be paid; paying it ships the order once. */
async function expectOnePayable(world: TwoLedgers, order: Order): Promise<"old" | "new"> {
  const { old, new: added } = await world.payments(order);
  const live = [...old, ...added].filter(({ state }) => state === "open" || state === "intent");
  expect(live).toHaveLength(1);
  expect(old.length === 0 || added.length === 0).toBe(true);
  await world.pay(live[0]);
  await until("the order is shipped", () => world.shipments(order) > 0);
  expect(world.shipments(order)).toBe(1);
  return old.length > 0 ? "old" : "new";
}

/** Where the slow process stops, and which ledger must then have the order. */
const STOPS = [
  ["before it looks for payments", "paymentsOfOrder", "before", "new"],
  ["after it looked for payments", "paymentsOfOrder", "after", "new"],
  ["before it takes the order's fence", "lockOrder", "before", "new"],
  ["before its commit", "commit", "before", "new"],
  ["after its commit", "commit", "after", "old"],
  ["before it releases the order", "unlockOrder", "before", "old"],
] as const;

const postgres = await startPostgres();
afterAll(() => postgres.stop());

const DATABASES = [
  ["SQLite", {}],
  ["PostgreSQL", { postgresUrl: postgres.url }],
] as const;

describe.each(DATABASES)(
  "two processes that start one order around the switch, with two ledgers in %s",
  (_database, options) => {
    it.each(STOPS)(
      "the order is payable in one ledger when the slow process stops %s",
      async (_, method, when, ledger) => {
        const world = await openTwoLedgers(options);
        const gate = createGate();
        const slow = await world.openProcess(stopAt(method, gate, when));
        const order = await world.placeOrder();
        const slowStart = slow.startCheckout(order);
        await gate.arrived;
        await world.server.moveStore("mover", "new");
        // The lease of the slow process may have to end first.
        const fast = await until("the other process starts the order", async () => {
          const start = await world.server.startCheckout(order).catch(() => null);
          return start !== null;
        }).then(() => world.server.startCheckout(order));
        gate.open();
        const start = await slowStart;
        expect(start).toEqual(fast);
        expect(await expectOnePayable(world, order)).toBe(ledger);
      },
    );

    it("every order is payable in one ledger when two processes start all of them while the store moves", async () => {
      const world = await openTwoLedgers(options);
      const other = await world.openProcess();
      const orders = await Promise.all(Array.from({ length: 12 }, () => world.placeOrder()));
      const starts = orders.flatMap((order, index) =>
        [world.server, other, other].map(async (server) => {
          await new Promise((resolve) => setTimeout(resolve, index * 5));
          await server.startCheckout(order).catch(() => null);
        }),
      );
      await starts[9];
      await other.moveStore("mover", "new");
      await Promise.all(starts);
      const found = [];
      for (const order of orders) {
        await world.server.startCheckout(order);
        found.push(await expectOnePayable(world, order));
      }
      expect(found[0]).toBe("old");
    });

    it("the server of the old ledger starts no order of a store that has left, and its page leads to the new ledger", async () => {
      const world = await openTwoLedgers(options);
      await world.server.moveStore("mover", "new");
      const order = await world.placeOrder();
      await expect(world.server.server("old").startCheckout(order)).rejects.toMatchObject({
        code: "ledger_busy",
        retryable: true,
      });
      await world.server.startCheckout(order);
      await expect(world.server.server("old").startCheckout(order)).rejects.toMatchObject({ code: "ledger_busy" });
      const page = await fetch(world.server.server("old").payLink(order));
      expect(page.status).toBe(200);
      expect((await world.payments(order)).old).toEqual([]);
    });
  },
);
