import type { Money } from "./money.ts";
import type { Payment } from "./payment.ts";

/**
 * What arrived for a payment: what was asked for, unless the service said another amount, which the finding or its waiver
 * keeps. Refunds are counted against it.
 */
export function paidMoney({ owed, finding, waiver }: Payment): Money {
  const differs = [finding, waiver?.finding].find((one) => one?.code === "amount_differs");
  const minor = /^(\d+) /.exec(differs?.found ?? "")?.[1];
  return minor === undefined ? owed : { minor: Number(minor), currency: owed.currency };
}
