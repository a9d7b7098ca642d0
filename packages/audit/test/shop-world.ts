import type { DisputeFact, Facts, OrderFact, PaymentFact, RefundFact } from "../src/facts/facts.ts";
import type { FindingKind } from "../src/findings/finding.ts";

export const DAY = 86_400_000;
export const FROM = Date.UTC(2026, 0, 1);
export const UNTIL = Date.UTC(2026, 3, 1);
export const NOW = UNTIL + 5 * DAY;

/** What a fault must be found as, and on which order or payment. */
export type Planted = {
  readonly kind: FindingKind;
  readonly order?: string;
  readonly payment?: string;
  readonly minor: number;
};

/** A shop and the money at the service, in the hands of a test. Every order is right until something is planted. */
export type World = {
  readonly orders: OrderFact[];
  readonly payments: PaymentFact[];
  readonly refunds: RefundFact[];
  readonly disputes: DisputeFact[];
  readonly planted: Planted[];
  /** How many orders each shop has: the shops of one key count from the same number. */
  readonly counts: Map<string, number>;
  random(): number;
  pick<Item>(items: readonly Item[]): Item;
  nextId(prefix: string): string;
};

export function createWorld(seed: number): World {
  let state = seed >>> 0 || 1;
  let ids = 0;
  // xorshift32: the same shop for the same seed.
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    orders: [],
    payments: [],
    refunds: [],
    disputes: [],
    planted: [],
    counts: new Map(),
    random,
    pick: (items) => items[Math.floor(random() * items.length)] as (typeof items)[number],
    nextId: (prefix) => {
      ids += 1;
      return `${prefix}${ids.toString(36).padStart(8, "0")}`;
    },
  };
}

/** How a shop writes down what paid an order: every plug-in has another way, and each of them is enough. */
export const STYLES = [
  "both",
  "on_order",
  "in_metadata",
  "session_on_order",
  "number_in_metadata",
  "key_in_metadata",
] as const;
export type Style = (typeof STYLES)[number];

export function newOrder(world: World, shop: string, change: Partial<OrderFact> = {}): OrderFact {
  const count = world.counts.get(shop) ?? 0;
  world.counts.set(shop, count + 1);
  const id = String(1_000 + count);
  const createdAt = change.createdAt ?? Math.floor(FROM + 2 * DAY + world.random() * (UNTIL - FROM - 6 * DAY));
  const order: OrderFact = {
    shop,
    id,
    number: String(700_000 + count),
    createdAt,
    changedAt: createdAt + 600_000,
    paidAt: createdAt + Math.floor(world.random() * 900_000),
    state: "paid",
    total: { minor: 1_000 + Math.floor(world.random() * 90_000), currency: world.pick(["XOF", "XOF", "EUR", "USD"]) },
    otherTotal: null,
    paid: null,
    refunded: null,
    isRounded: false,
    isTest: false,
    method: "gateway_of_the_service",
    names: [],
    aliases: [`wc_order_${shop}${id}k`],
    relatedTo: null,
    knowsDispute: false,
    customer: null,
    url: null,
    ...change,
  };
  world.orders.push(order);
  return order;
}

export function replaceOrder(world: World, order: OrderFact, change: Partial<OrderFact>): OrderFact {
  const next = { ...order, ...change };
  world.orders[world.orders.indexOf(order)] = next;
  return next;
}

/** A payment that names nothing, for `tie`. */
export function newPayment(
  world: World,
  at: number,
  amount: PaymentFact["amount"],
  change: Partial<PaymentFact> = {},
): PaymentFact {
  const fee = Math.round(amount.minor * 0.025);
  const payment: PaymentFact = {
    kind: "payment",
    id: world.nextId("a1b2c3d4-0000-4000-8000-"),
    code: world.nextId("txn_aaaaaa"),
    session: world.nextId("5e551000-0000-4000-8000-"),
    amount,
    fee,
    net: amount.minor - fee,
    discount: 0,
    at,
    environment: "live",
    names: [],
    reference: null,
    site: null,
    channel: null,
    customer: null,
    ...change,
  };
  world.payments.push(payment);
  return payment;
}

/** A payment of this order, as a plug-in of this style writes it down. */
export function pay(
  world: World,
  order: OrderFact,
  style: Style,
  amount = order.total,
  change: Partial<PaymentFact> = {},
): { order: OrderFact; payment: PaymentFact } {
  const named: Partial<Record<Style, readonly string[]>> = {
    both: [order.id],
    in_metadata: [order.id],
    number_in_metadata: [order.number],
    key_in_metadata: order.aliases,
  };
  const at = order.paidAt ?? order.createdAt + 300_000;
  const payment = newPayment(world, at, amount, { names: named[style] ?? [], ...change });
  const shown: Partial<Record<Style, string>> = {
    both: payment.id,
    on_order: payment.code ?? "",
    session_on_order: payment.session ?? "",
  };
  const name = shown[style];
  const names = name === undefined ? order.names : [...order.names, name];
  return { order: replaceOrder(world, order, { names }), payment };
}

export function refund(
  world: World,
  payment: PaymentFact,
  minor: number,
  change: Partial<RefundFact> = {},
): RefundFact {
  const row: RefundFact = {
    kind: "refund",
    id: world.nextId("re_"),
    payment: payment.id,
    amount: { minor, currency: payment.amount.currency },
    at: payment.at + 3_600_000,
    status: "completed",
    ...change,
  };
  world.refunds.push(row);
  return row;
}

export function dispute(world: World, payment: PaymentFact, change: Partial<DisputeFact> = {}): DisputeFact {
  const row: DisputeFact = {
    kind: "dispute",
    id: world.nextId("dp_"),
    payment: payment.id,
    amount: payment.amount,
    at: payment.at + DAY,
    status: "open",
    ...change,
  };
  world.disputes.push(row);
  return row;
}

const SHOWS = { refunds: true, cancellations: true, methods: true, ids: true, disputes: true };

export function factsOf(world: World, shows: Partial<typeof SHOWS> = {}): Facts {
  const names = [...new Set(world.orders.map(({ shop }) => shop))];
  return {
    orders: world.orders,
    payments: world.payments,
    refunds: world.refunds,
    disputes: world.disputes,
    payouts: [],
    balances: [],
    shops: (names.length > 0 ? names : ["boutique"]).map((shop) => ({
      shop,
      from: FROM - 45 * DAY,
      until: NOW,
      shows: { ...SHOWS, ...shows },
      site: null,
      methods: [],
    })),
    movements: { from: FROM - 3 * DAY, until: NOW, environments: ["live", "test"], disputesSince: FROM - 3 * DAY },
  };
}
