import type { Money } from "../domain/money.ts";

/** A refund of one payment as its store shows it. */
export type ShownRefund = {
  /**
   * Our keys and the service's ids under which the store recorded it; the first names the row for as long as it exists. Empty: nothing ties it to
   * a certain refund of ours.
   */
  readonly names: readonly string[];
  readonly amount: Money;
  readonly state: "pending" | "made" | "failed";
  /** When the store recorded it, in milliseconds since 1970; null where the store does not say, or records it before it asks. */
  readonly recordedAt: number | null;
};

/** `counted`: what the store counts as paid, before refunds. `refunds`: without the refund that is requested. */
export type ShownByStore = { readonly counted: Money; readonly refunds: readonly ShownRefund[] };

/** How a store asks for refunds before it books them. Its adapter declares this, and `store-refunds` has the rules. */
export interface StoreRefunds {
  /**
   * `per-click`: every click has a key of its own, so a second click is known by amount, time and what the store shows. `stable`: the store repeats a
   * request under its key, so another key is another decision.
   */
  readonly keys: "per-click" | "stable";
  /**
   * `shown`: the store shows that a refund is pending. Otherwise it shows what it is told as made, so it is told a result if there is one within
   * this time.
   */
  readonly pending: "shown" | { readonly answerWithinMs: number };
  /** The store asks from its own record of the payment, so our write of the payment has taken effect. */
  readonly shownByStore?: true;
  /**
   * What the store shows of the payment now, read in the transaction in which it asks if it has one. It is read again right before a refund is
   * committed, because another process of the store may have asked. Null: the store cannot tell.
   */
  list(): Promise<ShownByStore | null>;
}
