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
  | { readonly say: "wait"; readonly again: number }
  | { readonly say: "lapsed"; readonly again: number }
  | { readonly say: "unreadable"; readonly again: number }
  | { readonly say: "paid"; readonly receipt: Omit<Receipt, "fence"> }
  | ({ readonly say: "accepted"; readonly waiver: Waiver } & Arrived)
  | { readonly say: "settled" }
  | ({ readonly say: "duplicate"; readonly paidBy: string } & Arrived)
  | ({ readonly say: "mismatch"; readonly finding: Finding } & Arrived)
  | { readonly say: "refunded" };

/** What arrived and by which transaction, each null where the answer does not say it. */
export type Arrived = { readonly received: Money | null; readonly transactionId: string | null };
