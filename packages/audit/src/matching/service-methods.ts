import type { OrderCoverage, OrderFact } from "../facts/facts.ts";
import type { Link } from "./match-by-identity.ts";

/** Whether an order says that the service paid it. `likely`: the input does not show how the order was paid. */
export type Claim = "certain" | "likely" | "no";
export type ClaimOf = (order: OrderFact) => Claim;

/** The methods of our own plug-ins, in every shop. Medusa names a provider `pp_tillkit`, or `pp_tillkit_` and an id that its owner chose. */
const OWN_METHOD = /^(?:tillkit(?:_mobile_money|_card)?|pp_tillkit(?:_.+)?)$/;
/** `txn_…`, `cs_…`: only the service has such ids. */
const SERVICE_ID = /^(?:txn|cs)_[0-9a-z]{10,}$/;

/**
 * Which payment methods of a shop mean the service: those that the owner named, those of Tillkit, and those of most orders whose
 * payment is known. Learned, because every plug-in of the service and every theme of a shop has another name for it.
 */
export function createServiceMethods(
  orders: readonly OrderFact[],
  links: readonly Link[],
  shops: readonly OrderCoverage[],
): ClaimOf {
  const linked = new Set(links.filter(({ isCertain }) => isCertain).map(({ order }) => order));
  const counts = new Map<string, { linked: number; paid: number }>();
  orders.forEach(({ shop, method, state }, index) => {
    if (method === null || (state !== "paid" && state !== "refunded")) return;
    const key = `${shop}\n${method}`;
    const count = counts.get(key) ?? { linked: 0, paid: 0 };
    counts.set(key, { linked: count.linked + Number(linked.has(index)), paid: count.paid + 1 });
  });
  const named = new Set(shops.flatMap(({ shop, methods }) => methods.map((method) => `${shop}\n${method}`)));
  return ({ shop, method, names }) => {
    if (method === null) return names.some((name) => SERVICE_ID.test(name)) ? "certain" : "likely";
    const key = `${shop}\n${method}`;
    if (OWN_METHOD.test(method) || named.has(key)) return "certain";
    const { linked: known, paid } = counts.get(key) ?? { linked: 0, paid: 0 };
    return known > 0 && known * 2 >= paid ? "certain" : "no";
  };
}
