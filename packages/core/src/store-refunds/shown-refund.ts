import { type Money, sameMoney } from "../domain/money.ts";
import type { Refund } from "../domain/refund.ts";
import type { ShownRefund } from "../ports/store-refunds.ts";

type Named = Pick<ShownRefund, "names">;

/** Whether a row of the store stands for this refund, or for the refund in whose place this one was sent again. */
export function isNamed({ names }: Named, refund: Refund): boolean {
  return names.some(
    (name) => name === refund.refundId || keysOf(refund).some((key) => name === key || isTryOf(key, name)),
  );
}

const AGAIN = ":again:";

/** The key under which a decision is sent once more, after all of its tries have failed. `key`: of the decision, or a row's name. */
export function nextTryOf(key: string, known: readonly Refund[]): string {
  const tries = known.flatMap(keysOf).filter((tried) => isTryOf(tried, key));
  return `${key}${AGAIN}${tries.length + 1}`;
}

export function isTryOf(tried: string, key: string): boolean {
  return tried.startsWith(`${key}${AGAIN}`);
}

function keysOf({ key, otherKeys }: Refund): readonly string[] {
  return [key, ...otherKeys];
}

/**
 * `names`: of the refunds of ours that the store shows, also of those that a restored ledger has forgotten. `oursMinor`: their sum in the store.
 * `minor`: all that the store counts as refunded.
 */
export type ShownSums = { readonly names: readonly string[]; readonly oursMinor: number; readonly minor: number };

/**
 * Compares what the store shows with our refunds. A row without names may stand for any refund of its amount, so it stands for the oldest that no
 * other row shows: taken for somebody else's, it would make a new request the repeat of that refund.
 */
export function compareShown(known: readonly Refund[], shown: readonly ShownRefund[]): ShownSums {
  const effective = shown.filter(({ state }) => state !== "failed");
  const keys = new Set(known.filter((refund) => effective.some((row) => isNamed(row, refund))).map(({ key }) => key));
  let oursMinor = 0;
  for (const { names, amount } of effective) {
    const standsFor = names.length === 0 ? oldestUnshown(known, keys, amount) : undefined;
    if (standsFor) keys.add(standsFor.key);
    if (standsFor || names.length > 0) oursMinor += amount.minor;
  }
  const minor = effective.reduce((sum, { amount }) => sum + amount.minor, 0);
  return { names: [...keys, ...effective.flatMap(({ names }) => names)], oursMinor, minor };
}

function oldestUnshown(known: readonly Refund[], shownKeys: ReadonlySet<string>, amount: Money): Refund | undefined {
  return known
    .filter(({ key, origin, state }) => origin === "store" && state !== "failed" && !shownKeys.has(key))
    .filter((refund) => sameMoney(refund.amount, amount))
    .toSorted((left, right) => left.requestedAt - right.requestedAt)[0];
}
