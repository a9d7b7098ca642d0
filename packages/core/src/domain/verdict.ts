import type { Finding } from "./finding.ts";
import type { Money } from "./money.ts";
import type { Waiver } from "./payment.ts";
import type { Receipt } from "./receipt.ts";

/**
 * The judge's decision about one payment. `nextCheckAt` is the time of the next read in milliseconds since 1970. `unreadable`:
 * the response does not describe this session, or contradicts what is known about it, and nothing is recorded. `accepted`: the
 * merchant marked the order as paid while this payment was held for a difference. `recorded`: the payment is final, or its store
 * already shows it. `settling`: the order does not show the payment yet, and our own write to it is under way until then: nothing is
 * recorded.
 */
export type Verdict =
  | { readonly status: "wait"; readonly nextCheckAt: number }
  | { readonly status: "expired"; readonly nextCheckAt: number }
  | { readonly status: "unreadable"; readonly nextCheckAt: number }
  /** `isShown`: the store shows the payment already, and the answer to its write is missing. */
  | { readonly status: "paid"; readonly receipt: Omit<Receipt, "fence">; readonly isShown?: true }
  | ({ readonly status: "accepted"; readonly waiver: Waiver } & ReceivedMoney)
  | { readonly status: "recorded" }
  | { readonly status: "settling"; readonly until: number }
  | ({ readonly status: "duplicate"; readonly paidBy: string } & ReceivedMoney)
  | ({ readonly status: "mismatch"; readonly finding: Finding } & ReceivedMoney)
  | { readonly status: "refunded" };

/** The amount received and its transaction, each null where the response does not contain it. */
export type ReceivedMoney = { readonly amountReceived: Money | null; readonly transactionId: string | null };
