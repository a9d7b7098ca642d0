import type { Money } from "@tillkit/core";
import type { Facts } from "./facts/facts.ts";
import type { Group } from "./matching/group.ts";

/** A number of rows, and their amounts by currency in minor units. */
export type RowSums = { count: number; readonly amounts: Map<string, number> };

/** What a set of orders and movements comes to. */
export type SideSums = {
  readonly orders: RowSums;
  readonly payments: RowSums;
  readonly refunds: RowSums;
  readonly disputes: RowSums;
};

export function createSums(): SideSums {
  const rows = (): RowSums => ({ count: 0, amounts: new Map() });
  return { orders: rows(), payments: rows(), refunds: rows(), disputes: rows() };
}

export function addGroup(sums: SideSums, group: Pick<Group, "orders" | "payments" | "refunds" | "disputes">): void {
  for (const { total } of group.orders) addRow(sums.orders, total);
  for (const { amount } of group.payments) addRow(sums.payments, amount);
  for (const { amount } of group.refunds) addRow(sums.refunds, amount);
  for (const { amount } of group.disputes) addRow(sums.disputes, amount);
}

function addRow(rows: RowSums, amount: Money | null): void {
  rows.count += 1;
  if (amount !== null) rows.amounts.set(amount.currency, (rows.amounts.get(amount.currency) ?? 0) + amount.minor);
}

/** The sums over the input itself, which no matching has touched. */
export function sidesOf(facts: Facts): SideSums {
  const sums = createSums();
  addGroup(sums, facts);
  return sums;
}

/** Whether the parts add up to the whole: every row counted once, every amount too. */
export function sumsAgree(whole: SideSums, parts: readonly SideSums[]): boolean {
  return (["orders", "payments", "refunds", "disputes"] as const).every((side) => {
    const added: RowSums = { count: 0, amounts: new Map() };
    for (const part of parts) {
      added.count += part[side].count;
      for (const [currency, minor] of part[side].amounts)
        added.amounts.set(currency, (added.amounts.get(currency) ?? 0) + minor);
    }
    const { count, amounts } = whole[side];
    return (
      added.count === count &&
      added.amounts.size === amounts.size &&
      [...amounts].every(([currency, minor]) => added.amounts.get(currency) === minor)
    );
  });
}
