import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Language, Money } from "@tillkit/core";

// #region order
/** An order of this shop. Your shop has orders of its own kind, which the adapter translates. */
export type ShopOrder = {
  readonly id: string;
  readonly title: string;
  readonly total: Money;
  readonly language: Language;
  readonly state: "open" | "cancelled";
  /** What paid the order: the id of a Tillkit payment, or `cash`. Null while it is unpaid. */
  readonly paidBy: string | null;
  /** How often the goods were sent, which must never be more than once. */
  readonly shipments: number;
  /** A payment is under way, for example a shopper confirms it on their phone. Milliseconds since 1970. */
  readonly pendingUntil: number | null;
  readonly refunds: readonly { readonly id: string; readonly amount: Money }[];
  /** What the owner reads on the order. The order has one note for each key. */
  readonly notes: readonly { readonly key: string; readonly text: string }[];
  readonly changedAt: number;
};
// #endregion order

export type Shop = {
  order(id: string): Promise<ShopOrder | null>;
  /** Every order that was placed or changed since this time, in milliseconds since 1970. */
  ordersSince(since: number): Promise<readonly ShopOrder[]>;
  place(order: Pick<ShopOrder, "title" | "total" | "language">): Promise<ShopOrder>;
  /**
   * Reads an order, decides and writes in one step, as a transaction of a database would: no other change comes between.
   * Returns what `decide` answered, or null if there is no such order.
   */
  change<Answer>(id: string, decide: (order: ShopOrder) => Decision<Answer>): Promise<Answer | null>;
};

/** `order`: the order as it is to be stored, or absent when nothing changes. */
export type Decision<Answer> = { readonly order?: ShopOrder; readonly answer: Answer };

/** A shop whose orders are in one JSON file, which only this process writes. */
export function openShop(file: string, now: () => number = Date.now): Shop {
  let lastStep: Promise<unknown> = Promise.resolve();

  // Runs the steps one after the other, so that each step reads what the step before it has stored.
  function inTurn<Result>(step: (orders: readonly ShopOrder[]) => Promise<Result>): Promise<Result> {
    const result = lastStep.then(async () => await step(await readOrders(file)));
    lastStep = result.catch(() => undefined);
    return result;
  }

  return {
    order: (id) => inTurn(async (orders) => orders.find((order) => order.id === id) ?? null),
    ordersSince: (since) => inTurn(async (orders) => orders.filter(({ changedAt }) => changedAt >= since)),
    place: (input) =>
      inTurn(async (orders) => {
        const order: ShopOrder = { ...newOrder, ...input, id: String(1001 + orders.length), changedAt: now() };
        await writeOrders(file, [...orders, order]);
        return order;
      }),
    change: (id, decide) =>
      inTurn(async (orders) => {
        const before = orders.find((order) => order.id === id);
        if (!before) return null;
        const { order, answer } = decide(before);
        if (order) {
          const changed = { ...order, changedAt: now() };
          await writeOrders(
            file,
            orders.map((order) => (order.id === id ? changed : order)),
          );
        }
        return answer;
      }),
  };
}

const newOrder = {
  state: "open",
  paidBy: null,
  shipments: 0,
  pendingUntil: null,
  refunds: [],
  notes: [],
} as const;

async function readOrders(file: string): Promise<readonly ShopOrder[]> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as ShopOrder[];
  } catch (error) {
    // A missing file means a new shop. A broken file must not look like a shop without orders.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

// A rename replaces the whole file or nothing: a crash leaves no half-written orders.
async function writeOrders(file: string, orders: readonly ShopOrder[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(orders, null, 2));
  await rename(`${file}.new`, file);
}
