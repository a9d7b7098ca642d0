import { describe, expect, it } from "vitest";
import { audit } from "../src/audit.ts";
import type { Finding } from "../src/findings/finding.ts";
import { addGroup, createSums, sidesOf, sumsAgree } from "../src/sums.ts";
import { faults } from "./faults.ts";
import { addRightOrder, rightThings } from "./right-things.ts";
import {
  createWorld,
  FROM,
  factsOf,
  NOW,
  newOrder,
  newPayment,
  type Planted,
  pay,
  UNTIL,
  type World,
} from "./shop-world.ts";

const request = { from: FROM, until: UNTIL, now: NOW };
const SHOP = "boutique";

function isFound(findings: readonly Finding[], { kind, order, payment, minor }: Planted): boolean {
  return findings.some(
    (finding) =>
      finding.kind === kind &&
      // Fees of one currency are one finding.
      (kind === "balance_differs" ? finding.amount.minor >= minor : finding.amount.minor === minor) &&
      (order === undefined || finding.orders.some(({ id }) => id === order)) &&
      (payment === undefined || finding.payments.some(({ id }) => id === payment)),
  );
}

function missed(world: World, findings: readonly Finding[]): readonly Planted[] {
  return world.planted.filter((planted) => !isFound(findings, planted));
}

function withRightOrders(seed: number, count: number, shops: readonly string[] = [SHOP]): World {
  const world = createWorld(seed);
  // Most orders are plain, so the methods of the shop are learned from them, as in a real shop.
  for (let number = 0; number < 40; number += 1) pay(world, newOrder(world, SHOP), "both");
  for (let number = 0; number < count; number += 1) addRightOrder(world, world.pick(shops));
  return world;
}

describe("a shop in which everything is right", () => {
  it.each(Object.keys(rightThings))("nothing is found when there is %s", (name) => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const world = withRightOrders(seed, 0);
      rightThings[name]?.(world, SHOP);
      const { findings, addsUp } = audit(factsOf(world), request);
      expect(findings.map(({ kind, orders, payments }) => ({ kind, orders, payments }))).toEqual([]);
      expect(addsUp).toBe(true);
    }
  });

  it("nothing is found among 20,000 orders, and both sides add up to their totals", () => {
    const world = withRightOrders(2026, 20_000);
    const result = audit(factsOf(world), request);
    expect(result.findings).toEqual([]);
    expect(result.addsUp).toBe(true);
    expect(result.sides.orders.count).toBe(world.orders.length);
    expect(result.sides.payments.count).toBe(world.payments.length);
  });

  it("nothing is found in three shops on one key whose orders have the same numbers", () => {
    const world = withRightOrders(7, 3_000, ["hats", "shoes", "bags"]);
    expect(audit(factsOf(world), request).findings).toEqual([]);
  });
});

describe("a shop with a fault", () => {
  it.each(Object.keys(faults))("it is found and named when %s", (name) => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const world = withRightOrders(seed, 200);
      faults[name]?.(world, SHOP);
      const { findings, addsUp } = audit(factsOf(world), request);
      expect(missed(world, findings)).toEqual([]);
      expect(findings).toHaveLength(1);
      expect(findings[0]?.certainty).toBe("certain");
      expect(addsUp).toBe(true);
    }
  });

  it("every one of 400 faults among 20,000 orders is found, and nothing else is", () => {
    const world = withRightOrders(99, 20_000);
    const all = Object.values(faults);
    for (let number = 0; number < 400; number += 1) all[number % all.length]?.(world, SHOP);
    const { findings, addsUp } = audit(factsOf(world), request);
    expect(missed(world, findings)).toEqual([]);
    const others = findings.filter(({ kind }) => kind !== "balance_differs");
    expect(others).toHaveLength(world.planted.filter(({ kind }) => kind !== "balance_differs").length);
    expect(addsUp).toBe(true);
  });

  it("each order and each movement is in exactly one group", () => {
    const world = withRightOrders(5, 2_000);
    for (const plant of Object.values(faults)) plant(world, SHOP);
    const orders: unknown[] = [];
    const movements: unknown[] = [];
    audit(factsOf(world), {
      ...request,
      onGroup: (group) => {
        orders.push(...group.orders);
        movements.push(...group.payments, ...group.refunds, ...group.disputes);
      },
    });
    expect(new Set(orders)).toEqual(new Set(world.orders));
    expect(orders).toHaveLength(world.orders.length);
    expect(movements).toHaveLength(world.payments.length + world.refunds.length + world.disputes.length);
    expect(new Set(movements).size).toBe(movements.length);
  });

  it("the key of a finding is the same in a later audit with more orders", () => {
    const world = withRightOrders(6, 100);
    for (const plant of Object.values(faults)) plant(world, SHOP);
    const keysOf = () => audit(factsOf(world), request).findings.map(({ key }) => key);
    const before = keysOf();
    for (let number = 0; number < 100; number += 1) addRightOrder(world, SHOP);
    expect(keysOf()).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  });
});

describe("what only resembles", () => {
  const minor = 123_457;
  const amount = { minor, currency: "XOF" };

  function lostWebhookOfPlugInWithoutNames(): World {
    const world = withRightOrders(3, 100);
    const order = newOrder(world, SHOP, { state: "unpaid", paidAt: null, total: amount });
    newPayment(world, order.createdAt + 120_000, amount);
    return world;
  }

  it("a payment that names nothing and fits one unpaid order is likely its payment, with the reason", () => {
    const { findings } = audit(factsOf(lostWebhookOfPlugInWithoutNames()), request);
    expect(findings).toMatchObject([
      { kind: "paid_not_shown", certainty: "likely", because: ["amount", "time"], amount },
    ]);
  });

  it("a payment that fits two orders equally stays money of nobody", () => {
    const world = lostWebhookOfPlugInWithoutNames();
    const [twin] = world.orders.slice(-1);
    newOrder(world, SHOP, { state: "unpaid", paidAt: null, total: amount, createdAt: twin?.createdAt ?? 0 });
    expect(audit(factsOf(world), request).findings.map(({ kind }) => kind)).toEqual(["money_of_nobody"]);
  });

  it("a payment of another customer is no candidate, and one of the same customer comes before a nearer one", () => {
    const world = withRightOrders(4, 100);
    const mine = newOrder(world, SHOP, { state: "unpaid", paidAt: null, total: amount, customer: "awa" });
    newOrder(world, SHOP, {
      state: "unpaid",
      paidAt: null,
      total: amount,
      customer: "binta",
      createdAt: mine.createdAt + 60_000,
    });
    newPayment(world, mine.createdAt + 60_000, amount, { customer: "awa" });
    const { findings } = audit(factsOf(world), request);
    expect(findings).toMatchObject([{ kind: "paid_not_shown", because: ["amount", "time", "customer"] }]);
    expect(findings[0]?.orders.map(({ id }) => id)).toEqual([mine.id]);
  });

  it("what an order shows comes before what the metadata of its payment says", () => {
    const world = withRightOrders(14, 20);
    const other = newOrder(world, SHOP, { state: "unpaid", paidAt: null });
    const order = newOrder(world, SHOP, { names: ["txn_moved0000001"] });
    const payment = newPayment(world, order.paidAt ?? 0, order.total, { names: [other.id], code: "txn_moved0000001" });
    const together: string[][] = [];
    audit(factsOf(world), {
      ...request,
      onGroup: ({ orders, payments }) => {
        if (payments.includes(payment)) together.push(orders.map(({ id }) => id));
      },
    });
    expect(together).toEqual([[order.id]]);
  });

  it("identity is never replaced: a payment that names an order is not given to one that it resembles", () => {
    const world = withRightOrders(8, 100);
    const named = newOrder(world, SHOP, { state: "unpaid", paidAt: null, total: { minor: 99, currency: "XOF" } });
    newOrder(world, SHOP, { state: "unpaid", paidAt: null, total: amount, createdAt: named.createdAt });
    newPayment(world, named.createdAt + 1_000, amount, { names: [named.id] });
    const { findings } = audit(factsOf(world), request);
    expect(findings).toMatchObject([{ kind: "paid_not_shown", certainty: "certain" }]);
    expect(findings[0]?.orders.map(({ id }) => id)).toEqual([named.id]);
  });
});

describe("the edges of what was read", () => {
  it("an order that was paid before the first movement that was read is no finding", () => {
    const world = withRightOrders(9, 10);
    const createdAt = FROM + 3 * 86_400_000;
    newOrder(world, SHOP, { createdAt, paidAt: createdAt + 60_000 });
    const facts = factsOf(world);
    const from = FROM + 10 * 86_400_000;
    const orders = facts.orders.filter((order) => order.createdAt > from || order.createdAt === createdAt);
    const payments = facts.payments.filter(({ at }) => at > from);
    const late = { ...facts, orders, payments, movements: { ...facts.movements, from } };
    expect(audit(late, request).findings).toEqual([]);
    expect(audit({ ...late, movements: facts.movements }, request).findings.map(({ kind }) => kind)).toContain(
      "shown_without_money",
    );
  });

  it("a payment younger than ten minutes is under way, and a finding once it is older", () => {
    const world = withRightOrders(10, 10);
    const at = UNTIL - 60_000;
    newPayment(world, at, { minor: 424_242, currency: "XOF" }, { names: ["no such order"] });
    const facts = factsOf(world);
    expect(audit(facts, { ...request, now: at + 9 * 60_000 }).findings).toEqual([]);
    expect(audit(facts, { ...request, now: at + 11 * 60_000 }).findings).toHaveLength(1);
  });

  it("a shop that shows no refunds has no finding about refunds, and the report says so", () => {
    const world = withRightOrders(11, 10);
    faults["the refund was made in the dashboard only"]?.(world, SHOP);
    const result = audit(factsOf(world, { refunds: false }), request);
    expect(result.findings).toEqual([]);
    expect(result.blind).toContainEqual({ kind: "refund_on_one_side", shop: SHOP, why: "no_refunds" });
  });

  it("an order whose method the input does not show is likely, not certainly, without money", () => {
    const world = withRightOrders(12, 10);
    const order = newOrder(world, SHOP, { method: null });
    const { findings } = audit(factsOf(world), request);
    expect(findings).toMatchObject([
      { kind: "shown_without_money", certainty: "likely", because: ["method_not_shown"] },
    ]);
    expect(findings[0]?.orders[0]?.id).toBe(order.id);
  });

  it("an order that shows a payment by Tillkit's provider in Medusa, and has no money, is certainly without money", () => {
    const world = withRightOrders(14, 10);
    const order = newOrder(world, SHOP, { method: "pp_tillkit_mobile" });
    const { findings } = audit(factsOf(world), request);
    expect(findings).toMatchObject([{ kind: "shown_without_money", certainty: "certain", orders: [{ id: order.id }] }]);
  });
});

describe("the sums of the groups", () => {
  it("sums that leave out one row, or one franc, do not agree", () => {
    const world = withRightOrders(13, 50);
    const facts = factsOf(world);
    const [first, ...rest] = facts.orders;
    const partsOf = (orders: typeof facts.orders) => {
      const sums = createSums();
      addGroup(sums, { ...facts, orders });
      return [sums];
    };
    expect(sumsAgree(sidesOf(facts), partsOf(facts.orders))).toBe(true);
    const free = { ...(first ?? expect.fail("There is no order.")), total: { minor: 0, currency: "XOF" } };
    expect(sumsAgree(sidesOf({ ...facts, orders: [free, ...rest] }), partsOf(rest))).toBe(false);
    const dearer = { ...free, total: { minor: 1, currency: "XOF" } };
    expect(sumsAgree(sidesOf({ ...facts, orders: [free, ...rest] }), partsOf([dearer, ...rest]))).toBe(false);
  });
});

describe("the balance", () => {
  const balance = (minor: number, at: number) => ({
    amount: { minor, currency: "XOF" },
    at,
    environment: "live" as const,
  });

  it("a change that the movements make is right, and another change is likely a finding", () => {
    const world = createWorld(1);
    pay(world, newOrder(world, SHOP, { total: { minor: 10_000, currency: "XOF" } }), "both");
    const facts = (last: number) => ({ ...factsOf(world), balances: [balance(500, FROM), balance(last, NOW)] });
    expect(audit(facts(500 + 9_750), request).findings).toEqual([]);
    expect(audit(facts(500 + 9_000), request).findings).toMatchObject([
      {
        kind: "balance_differs",
        certainty: "likely",
        amount: { minor: 750 },
        expected: { minor: 9_750 },
        actual: { minor: 9_000 },
      },
    ]);
  });
});
