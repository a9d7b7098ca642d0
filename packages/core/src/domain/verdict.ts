import type { Finding } from "./finding.ts";
import type { Receipt } from "./receipt.ts";

/** What the judge says. `again` is the time of the next read in milliseconds since 1970. */
export type Verdict =
  | { readonly say: "wait"; readonly again: number }
  | { readonly say: "lapsed"; readonly again: number }
  | { readonly say: "paid"; readonly receipt: Omit<Receipt, "fence"> }
  | { readonly say: "settled" }
  | { readonly say: "duplicate"; readonly paidBy: string }
  | { readonly say: "mismatch"; readonly finding: Finding }
  | { readonly say: "refunded" };
