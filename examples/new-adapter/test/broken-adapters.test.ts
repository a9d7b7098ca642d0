import type { StoreAdapter } from "@tillkit/core";
import type { SimulatableStore, WrapPort } from "@tillkit/testkit";
import { exploreStore } from "@tillkit/testkit/explorer";
import { runSimulation, simulate } from "@tillkit/testkit/simulator";
import { describe, expect, test } from "vitest";
import type { Shop, ShopOrder } from "../src/shop.ts";
import { openShopUnderTest } from "./shop-under-test.ts";

type ShopUnderTest = Awaited<ReturnType<typeof openShopUnderTest>>;

/** The shop with an adapter that has one mistake. */
function withMistake(breakAdapter: (adapter: StoreAdapter, shop: Shop) => StoreAdapter) {
  return async (): Promise<SimulatableStore> => {
    const store: ShopUnderTest = await openShopUnderTest();
    const connect = (wrap: WrapPort) => {
      const shop = wrap(store.shop, { reads: ["order", "ordersSince"] });
      // The shop is wrapped here already, so that the adapter's own requests have the same faults.
      return breakAdapter(
        store.connect(() => shop as never),
        shop,
      );
    };
    return { ...store, connect };
  };
}

const readsThenWrites = withMistake((adapter, shop) => ({
  ...adapter,
  async markPaid(receipt) {
    const order = await shop.order(receipt.ref.orderId);
    if (order?.paidBy === receipt.paymentId) return { outcome: "already", evidence: "read-back" };
    if (!order || order.paidBy !== null || order.state !== "open") {
      return { outcome: "not-payable", why: { kind: "closed" } };
    }
    await shop.change(order.id, (now) => ({ order: paidBy(now, receipt.paymentId), answer: null }));
    return { outcome: "recorded", evidence: "read-back" };
  },
}));

const mistakes: [title: string, broken: () => Promise<SimulatableStore>, found: RegExp, seeds: number][] = [
  [
    "reads the order, decides, and writes later, although it declares conditional writes",
    readsThenWrites,
    /was marked paid [2-9] times.*\(I1\)/,
    60,
  ],
  [
    "says that an order is paid when the shop did not answer",
    withMistake((adapter) => ({
      ...adapter,
      markPaid: (receipt) =>
        adapter.markPaid(receipt).catch(() => ({ outcome: "recorded", evidence: "read-back" }) as const),
    })),
    /is recorded, but .* does not show it/,
    60,
  ],
  [
    "ships for every receipt, whatever the order shows",
    withMistake((adapter, shop) => ({
      ...adapter,
      async markPaid({ ref, paymentId }) {
        await shop.change(ref.orderId, (order) => ({ order: paidBy(order, paymentId), answer: null }));
        return { outcome: "recorded", evidence: "read-back" };
      },
    })),
    /was marked paid \d+ times/,
    30,
  ],
];

/** The violations of the first seed that has the wanted one. */
async function firstViolation(broken: () => Promise<SimulatableStore>, wanted: RegExp, seeds: number): Promise<string> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const violations = (await simulate(broken, { seeds: [seed] })).join("\n");
    if (wanted.test(violations)) return violations;
  }
  return `no such violation with ${seeds} seeds`;
}

describe("the search of every schedule", () => {
  test.each(mistakes)(
    "finds an adapter that %s, and tells a story",
    { timeout: 600_000 },
    async (_title, broken, found) => {
      const [story = ""] = await exploreStore(broken, { maxMs: 300_000 });
      expect(story).toMatch(found);
      expect(story).toMatch(/shop change/);
    },
  );
});

describe("the simulation of a broken adapter", () => {
  test.each(mistakes)("finds an adapter that %s", { timeout: 600_000 }, async (_title, broken, found, seeds) => {
    expect(await firstViolation(broken, found, seeds)).toMatch(found);
  });

  test("an adapter that reads and then writes violates nothing once it declares this", {
    timeout: 600_000,
  }, async () => {
    const honest = async () => {
      const store = await readsThenWrites();
      const writes = { kind: "read-then-write", settleAfterMs: 120_000 } as const;
      return { ...store, connect: (wrap: WrapPort) => ({ ...store.connect(wrap), writes }) };
    };
    expect(await simulate(honest, { seeds: 40 })).toEqual([]);
  });

  test("the same seed gives the same history, although the shop writes files", async () => {
    const run = async () => (await runSimulation({ seed: 46, store: openShopUnderTest })).history();
    expect(await run()).toEqual(await run());
  });

  test("an adapter whose requests to the shop cannot fail is refused", async () => {
    const unwrapped = async () => {
      const store = await openShopUnderTest();
      return { ...store, connect: () => store.connect((port) => port) };
    };
    await expect(simulate(unwrapped, { seeds: 1 })).rejects.toThrow(
      "must wrap the object through which its adapter calls the shop",
    );
  });

  test("a shop whose shipments are never counted is reported", async () => {
    const blind = async () => {
      const store = await openShopUnderTest();
      return { ...store, probe: { ...store.probe, timesPaid: async () => 0 } };
    };
    expect((await simulate(blind, { seeds: 3 })).join("\n")).toContain("No order was paid with any of 3 seeds");
  });
});

function paidBy(order: ShopOrder, paymentId: string): ShopOrder {
  return { ...order, paidBy: paymentId, shipments: order.shipments + 1 };
}
