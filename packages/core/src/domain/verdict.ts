import type { Finding } from "./finding.ts";
import type { Money } from "./money.ts";
import type { Waiver } from "./payment.ts";
import type { Receipt } from "./receipt.ts";

/**
 * What the judge says. `again` is the time of the next read in milliseconds since 1970. `unreadable`: the answer says nothing
 * about this session, or less than is known of it; nothing was learned. `accepted`: the owner set the order to paid while this
 * payment was held for a difference.
 */
export type Verdict =
  | { readonly status: "wait"; readonly nextCheckAt: number }
  | { readonly status: "lapsed"; readonly nextCheckAt: number }
  | { readonly status: "unreadable"; readonly nextCheckAt: number }
  | { readonly status: "paid"; readonly receipt: Omit<Receipt, "fence"> }
  | ({ readonly status: "accepted"; readonly waiver: Waiver } & ReceivedMoney)
  | { readonly status: "settled" }
  | ({ readonly status: "duplicate"; readonly paidBy: string } & ReceivedMoney)
  | ({ readonly status: "mismatch"; readonly finding: Finding } & ReceivedMoney)
  | { readonly status: "refunded" };

/** What arrived and by which transaction, each null where the answer does not say it. */
export type ReceivedMoney = { readonly amountReceived: Money | null; readonly transactionId: string | null };
