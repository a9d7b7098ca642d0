import type { Ledger, Order } from "@tillkit/core";
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import { createGate, openTwoLedgers, type TwoLedgers, until, type WrapLedger } from "../fixtures/two-ledgers.ts";

type Gate = ReturnType<typeof createGate>;

/** Stops a process at its first call of `method` in the old ledger, before or after the effect of the call, until `gate` opens. */
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
      const isFirstCall = !hasStopped;
      hasStopped = true;
      if (isFirstCall && when === "before") await gate.pass();
      const answer = await call(...args);
      if (isFirstCall && when === "after") await gate.pass();
      return answer;
    };
    return { ...ledger, [method]: stopping } as Ledger;
  };
}

/**
 * Expects that the order has payments in one ledger only, that exactly one of these payments can be paid, and that the shop ships once
 * when that payment is paid. Returns the ledger.
 */
async function expectOnePayable(fixture: TwoLedgers, order: Order): Promise<"old" | "new"> {
  const { old, new: added } = await fixture.payments(order);
  const payable = [...old, ...added].filter(({ state }) => state === "open" || state === "intent");
  expect(payable).toHaveLength(1);
  expect(old.length === 0 || added.length === 0).toBe(true);
  await fixture.pay(payable[0]);
  await until("the order is shipped", () => fixture.shipments(order) > 0);
  expect(fixture.shipments(order)).toBe(1);
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
  "two processes that start one order while its store moves, with two ledgers in %s",
  (_database, options) => {
    it.each(STOPS)(
      "the order is payable in one ledger when the slow process stops %s",
      async (_, method, when, ledger) => {
        const fixture = await openTwoLedgers(options);
        const gate = createGate();
        const slow = await fixture.openProcess(stopAt(method, gate, when));
        const order = await fixture.placeOrder();
        const slowStart = slow.startCheckout(order);
        await gate.arrived;
        await fixture.server.moveStore("mover", "new");
        // The lease of the slow process may have to end first.
        await until("the other process starts the order", async () => {
          const start = await fixture.server.startCheckout(order).catch(() => null);
          return start !== null;
        });
        const fastStart = await fixture.server.startCheckout(order);
        gate.open();
        expect(await slowStart).toEqual(fastStart);
        expect(await expectOnePayable(fixture, order)).toBe(ledger);
      },
    );

    it("every order is payable in one ledger when two processes start all of them while the store moves", async () => {
      const fixture = await openTwoLedgers(options);
      const other = await fixture.openProcess();
      const orders = await Promise.all(Array.from({ length: 12 }, () => fixture.placeOrder()));
      const starts = orders.flatMap((order, index) =>
        [fixture.server, other, other].map(async (server) => {
          await new Promise((resolve) => setTimeout(resolve, index * 5));
          await server.startCheckout(order).catch(() => null);
        }),
      );
      await starts[9];
      await other.moveStore("mover", "new");
      await Promise.all(starts);
      const ledgers = [];
      for (const order of orders) {
        await fixture.server.startCheckout(order);
        ledgers.push(await expectOnePayable(fixture, order));
      }
      expect(ledgers[0]).toBe("old");
    });

    it("the server of the old ledger starts no order of a store that has left, and its page leads to the new ledger", async () => {
      const fixture = await openTwoLedgers(options);
      await fixture.server.moveStore("mover", "new");
      const order = await fixture.placeOrder();
      await expect(fixture.server.server("old").startCheckout(order)).rejects.toMatchObject({
        code: "ledger_busy",
        retryable: true,
      });
      await fixture.server.startCheckout(order);
      await expect(fixture.server.server("old").startCheckout(order)).rejects.toMatchObject({ code: "ledger_busy" });
      const page = await fetch(fixture.server.server("old").payLink(order));
      expect(page.status).toBe(200);
      expect((await fixture.payments(order)).old).toEqual([]);
    });
  },
);
