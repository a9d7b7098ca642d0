import type { DisputeFact, Facts, OrderFact, PaymentFact, RefundFact } from "../facts/facts.ts";
import type { Evidence, Group, Reason } from "./group.ts";
import { type Link, matchByIdentity } from "./match-by-identity.ts";
import { type ClaimingGroup, matchByResemblance } from "./match-by-resemblance.ts";
import { createServiceMethods } from "./service-methods.ts";
import { createUnion, type Union } from "./union.ts";

/** Puts each order and each movement into exactly one group: what names each other first, then what only resembles. */
export function groupFacts(facts: Facts): readonly ClaimingGroup[] {
  const { orders, payments } = facts;
  const links = matchByIdentity(orders, payments, facts.shops);
  const union = createUnion(orders.length + payments.length);
  for (const { order, payment } of links) union.join(order, orders.length + payment);
  joinRelated(orders, links, union);
  const uncertain = new Set(links.filter(({ isCertain }) => !isCertain).map(({ order }) => union.find(order)));
  const groups = collect(facts, union, uncertain);
  return matchByResemblance(groups, createServiceMethods(orders, links, facts.shops), facts.shops);
}

/** An order that was split or merged, and that no payment names, belongs to the order that it names. */
function joinRelated(orders: readonly OrderFact[], links: readonly Link[], union: Union): void {
  if (orders.every(({ relatedTo }) => relatedTo === null)) return;
  const linked = new Set(links.map(({ order }) => order));
  const positions = new Map<string, number>();
  orders.forEach(({ shop, id }, index) => {
    positions.set(`${shop}\n${id}`, index);
  });
  orders.forEach(({ shop, relatedTo }, index) => {
    const related = relatedTo === null ? undefined : positions.get(`${shop}\n${relatedTo}`);
    if (related !== undefined && !linked.has(index)) union.join(index, related);
  });
}

/** Most lists of most groups are empty or hold one row, so they are shared or made with their size: there are as many as orders. */
type GrowingGroup = {
  orders: readonly OrderFact[];
  payments: readonly PaymentFact[];
  refunds: readonly RefundFact[];
  disputes: readonly DisputeFact[];
  evidence: Evidence;
  reasons: readonly Reason[];
};

const NONE: readonly never[] = [];
const NAMED_TWICE: readonly Reason[] = ["named_twice"];

function newGroup(): GrowingGroup {
  return { orders: NONE, payments: NONE, refunds: NONE, disputes: NONE, evidence: "none", reasons: NONE };
}

function collect(facts: Facts, union: Union, uncertain: ReadonlySet<number>): readonly Group[] {
  const { orders, payments } = facts;
  const byRoot = new Map<number, GrowingGroup>();
  const groupAt = (index: number): GrowingGroup => {
    const root = union.find(index);
    const known = byRoot.get(root);
    if (known) return known;
    const group = newGroup();
    byRoot.set(root, group);
    return group;
  };
  const named = new Set([...facts.refunds, ...facts.disputes].map(({ payment }) => payment.toLowerCase()));
  const byPayment = new Map<string, GrowingGroup>();
  orders.forEach((order, index) => {
    const group = groupAt(index);
    group.orders = [...group.orders, order];
  });
  payments.forEach((payment, index) => {
    const group = groupAt(orders.length + index);
    group.payments = [...group.payments, payment];
    for (const name of [payment.id.toLowerCase(), payment.code?.toLowerCase()])
      if (name !== undefined && named.has(name)) byPayment.set(name, group);
  });
  // The payment of a stray lies outside of what was read.
  const strays: GrowingGroup[] = [];
  const groupOfPayment = (payment: string): GrowingGroup => {
    const name = payment.toLowerCase();
    const known = byPayment.get(name);
    if (known) return known;
    const group = newGroup();
    strays.push(group);
    byPayment.set(name, group);
    return group;
  };
  for (const refund of facts.refunds) {
    const group = groupOfPayment(refund.payment);
    group.refunds = [...group.refunds, refund];
  }
  for (const dispute of facts.disputes) {
    const group = groupOfPayment(dispute.payment);
    group.disputes = [...group.disputes, dispute];
  }
  for (const [root, group] of byRoot) {
    if (group.orders.length === 0 || group.payments.length === 0) continue;
    group.evidence = uncertain.has(root) ? "resemblance" : "identity";
    if (uncertain.has(root)) group.reasons = NAMED_TWICE;
  }
  return [...byRoot.values(), ...strays];
}
