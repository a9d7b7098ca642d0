import type { OrderCoverage, OrderFact, PaymentFact } from "../facts/facts.ts";
import { auditLimits } from "../limits.ts";
import { amountIn } from "./order-amount.ts";

/** `isCertain`: false when several orders have the name that the payment gives, and only resemblance chose among them. */
export type Link = { readonly order: number; readonly payment: number; readonly isCertain: boolean };

/**
 * Which orders and payments name each other. What an order shows comes first: after a move to another shop or a restored backup the
 * id in a payment's metadata may be another order's, and the transaction on the order is still right. Positions are those in the lists.
 */
export function matchByIdentity(
  orders: readonly OrderFact[],
  payments: readonly PaymentFact[],
  shops: readonly OrderCoverage[],
): readonly Link[] {
  const shown = linksFromOrders(orders, payments);
  const linked = new Set(shown.map(({ payment }) => payment));
  const unlinked = payments
    .map((payment, index) => ({ payment, index }))
    .filter(({ payment, index }) => !linked.has(index) && payment.names.length > 0);
  const wanted = new Set(unlinked.flatMap(({ payment }) => payment.names));
  const directory = createDirectory(orders, payments, shown, shops, wanted);
  const named = unlinked.flatMap(({ payment, index }): Link[] => {
    const found = chooseNamed(payment, directory, orders);
    return found === null ? [] : [{ ...found, payment: index }];
  });
  return [...shown, ...named];
}

function linksFromOrders(orders: readonly OrderFact[], payments: readonly PaymentFact[]): readonly Link[] {
  const wanted = new Set<string>();
  for (const { names } of orders) for (const name of names) wanted.add(name);
  const byName = new Map<string, number>();
  payments.forEach(({ id, code, session, reference }, index) => {
    for (const text of [id, code, session, reference]) {
      const name = text?.toLowerCase();
      if (name !== undefined && wanted.has(name)) byName.set(name, index);
    }
  });
  const links: Link[] = [];
  orders.forEach(({ names }, index) => {
    names.forEach((name, position) => {
      const payment = byName.get(name);
      // A transaction and its session are two names of one payment.
      const isRepeated =
        payment === undefined || names.slice(0, position).some((other) => byName.get(other) === payment);
      if (!isRepeated) links.push({ order: index, payment, isCertain: true });
    });
  });
  return links;
}

type Directory = {
  readonly byId: ReadonlyMap<string, readonly number[]>;
  readonly byNumber: ReadonlyMap<string, readonly number[]>;
  readonly byAlias: ReadonlyMap<string, readonly number[]>;
  /** Whether the plug-in of a shop writes the order's number where other plug-ins write its id. */
  readonly writesNumbers: (shop: string) => boolean;
  readonly shopOfSite: (site: string) => string | null;
  /** Orders that a payment is already tied to. */
  readonly taken: ReadonlySet<number>;
};

function createDirectory(
  orders: readonly OrderFact[],
  payments: readonly PaymentFact[],
  shown: readonly Link[],
  shops: readonly OrderCoverage[],
  wanted: ReadonlySet<string>,
): Directory {
  const votes = new Map<string, number>();
  for (const { order: orderIndex, payment } of shown) {
    const order = orders[orderIndex];
    const names = payments[payment]?.names ?? [];
    if (order === undefined || order.id === order.number) continue;
    const vote = Number(names.includes(order.number.toLowerCase())) - Number(names.includes(order.id.toLowerCase()));
    votes.set(order.shop, (votes.get(order.shop) ?? 0) + vote);
  }
  const sites = new Map(shops.flatMap(({ site, shop }) => (site === null ? [] : [[site, shop] as const])));
  return {
    byId: indexBy(orders, wanted, ({ id }) => [id]),
    byNumber: indexBy(orders, wanted, ({ number }) => [number, number.replace(/^#/, "")]),
    byAlias: indexBy(orders, wanted, ({ aliases }) => aliases),
    writesNumbers: (shop) => (votes.get(shop) ?? 0) > 0,
    shopOfSite: (site) => sites.get(site) ?? null,
    taken: new Set(shown.map(({ order }) => order)),
  };
}

/** Only of the names that a payment gives: most payments stand on their orders, and need no index. */
function indexBy(
  orders: readonly OrderFact[],
  wanted: ReadonlySet<string>,
  namesOf: (order: OrderFact) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, readonly number[]>();
  orders.forEach((order, position) => {
    for (const text of namesOf(order)) {
      const name = text.toLowerCase();
      if (!wanted.has(name)) continue;
      const known = index.get(name) ?? [];
      if (!known.includes(position)) index.set(name, [...known, position]);
    }
  });
  return index;
}

type Choice = { readonly order: number; readonly isCertain: boolean };

function chooseNamed(payment: PaymentFact, directory: Directory, orders: readonly OrderFact[]): Choice | null {
  const candidates = candidatesOf(payment, directory, orders);
  const [only, ...others] = candidates;
  if (only === undefined) return null;
  if (others.length === 0) return { order: only, isCertain: true };
  const fitting = candidates.filter((index) => fitsAmount(orders[index], payment));
  const free = fitting.filter((index) => !directory.taken.has(index));
  const best = free.length === 1 ? free : fitting;
  const nearest = [...(best.length > 0 ? best : candidates)].sort(
    (left, right) => distance(orders[left], payment) - distance(orders[right], payment),
  );
  const [chosen] = nearest;
  return chosen === undefined ? null : { order: chosen, isCertain: best.length === 1 };
}

/** The orders with a name that the payment gives, in a shop that it may come from, and not younger than the payment. */
function candidatesOf(payment: PaymentFact, directory: Directory, orders: readonly OrderFact[]): readonly number[] {
  const shop = payment.site === null ? null : directory.shopOfSite(payment.site);
  const isPossible = (index: number) => {
    const order = orders[index];
    if (order === undefined || (shop !== null && order.shop !== shop)) return false;
    return order.createdAt <= payment.at + auditLimits.orderAfterPaymentMs;
  };
  const found = new Set<number>();
  for (const name of payment.names) {
    const byAlias = directory.byAlias.get(name)?.filter(isPossible) ?? [];
    const byId = directory.byId.get(name)?.filter(isPossible) ?? [];
    const byNumber = directory.byNumber.get(name)?.filter(isPossible) ?? [];
    if (byAlias.length > 0) {
      for (const index of byAlias) found.add(index);
      continue;
    }
    const usual = [
      ...byId.filter((index) => !directory.writesNumbers(orders[index]?.shop ?? "")),
      ...byNumber.filter((index) => directory.writesNumbers(orders[index]?.shop ?? "")),
    ];
    for (const index of usual.length > 0 ? usual : [...byId, ...byNumber]) found.add(index);
  }
  return [...found];
}

function fitsAmount(order: OrderFact | undefined, { amount }: PaymentFact): boolean {
  return order !== undefined && amountIn(order, amount.currency) === amount.minor;
}

function distance(order: OrderFact | undefined, { at }: PaymentFact): number {
  return order === undefined ? Number.POSITIVE_INFINITY : Math.abs((order.paidAt ?? order.createdAt) - at);
}
