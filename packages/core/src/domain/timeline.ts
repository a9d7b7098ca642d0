import type { DisputeFacts, DisputeOutcome } from "./dispute.ts";
import type { Finding } from "./finding.ts";
import type { Money } from "./money.ts";
import type { RefundState } from "./refund.ts";
import { readFinding } from "./stored-finding.ts";

/** One entry of a payment's timeline: what happened, as facts without personal data. `explainPayment` makes the sentence. */
export type TimelineEntry = EntryContext & EntryFacts;

/** `at`: milliseconds since 1970. `actor`: who caused the entry, such as the shopper whose return led to a read. */
type EntryContext = {
  readonly paymentId: string | null;
  readonly at: number;
  readonly actor: "shopper" | "webhook" | "timer" | "store" | "operator";
};

/**
 * `by`: a role or a login, never an e-mail. `decision`: the id of the decision, so that a repeat of it is recognized. A transaction is absent where
 * the event named none.
 */
export type EntryFacts =
  | { readonly kind: "started" | "opened" | "replaced" | "cancelled" | "expired" | "closed" | "refunded" }
  /** The service's responses do not show the session, and show it again. */
  | { readonly kind: "unreadable" | "readable" }
  | { readonly kind: "store_unavailable" | "store_unknown" | "store_reconnect" | "store_owner" }
  /** `reason`: the service's words. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The shopper chose how to pay. */
  | { readonly kind: "acted"; readonly transactionId?: string | undefined }
  | ({ readonly kind: "attempt_failed" } & FailedAttempt)
  /** `late`: after the session had expired. */
  | { readonly kind: "paid"; readonly late?: true }
  /** `evidence` is absent where a read found the payment on its order. */
  | { readonly kind: "recorded"; readonly evidence?: "read-back" | "acknowledged" }
  | { readonly kind: "duplicate"; readonly paidBy?: string | undefined }
  | { readonly kind: "held"; readonly finding: Finding }
  | { readonly kind: PersonalKind; readonly by: string; readonly decision?: string }
  /** `refundKey`: of the refund that the decision made. */
  | { readonly kind: "refund_decided"; readonly by: string; readonly decision?: string; readonly refundKey?: string }
  | { readonly kind: "refund_settled"; readonly by: string; readonly reason: string; readonly decision?: string }
  | { readonly kind: "transaction_named"; readonly by: string; readonly transactionId: string }
  /** Of `refund_over_dispute`, the disputed amount. */
  | { readonly kind: `refund_${RefundState}` | "refund_over_dispute" | "surplus"; readonly amount: Money }
  | { readonly kind: "header_differs"; readonly header: string; readonly event: string }
  /** Milliseconds since 1970. */
  | { readonly kind: "recovered"; readonly disputesKnownSince?: number }
  | { readonly kind: "orphan"; readonly event: string }
  | { readonly kind: "archived"; readonly name: string }
  | ({ readonly kind: DisputeEntryKind } & (DisputeFacts | UnnamedDispute))
  /** An entry of a version before the facts: its kind and a text, which is only shown. */
  | { readonly kind: "legacy"; readonly was: string; readonly text: string };

type PersonalKind = "accepted" | "accepted_by_hand" | "reattached" | "refund_settled_by_person";
export type DisputeEntryKind = `dispute_${"created" | "updated" | "closed" | "decided"}`;

/** `code`: the service's `failure_code`. */
type FailedAttempt = { readonly code?: string | undefined; readonly transactionId?: string | undefined };
/** What an event without a dispute's id reported. `reported`: its status in the service's words. */
type UnnamedDispute = { readonly reported: string | null; readonly outcome: DisputeOutcome | null };

/** The form in which ledgers store an entry: `detail` holds its facts as JSON, or is empty where the kind has none. */
export type StoredEntry = EntryContext & { readonly kind: string; readonly detail: string };

export function toStoredEntry({ paymentId, at, actor, kind, ...facts }: TimelineEntry): StoredEntry {
  const stored = JSON.stringify("finding" in facts ? facts.finding : facts);
  return { paymentId, at, actor, kind, detail: stored === "{}" ? "" : stored };
}

/** The reverse of `toStoredEntry`. A newer version may have stored a kind that this one does not know. */
export function readEntry({ paymentId, at, actor, kind, detail: stored }: StoredEntry): TimelineEntry {
  const context = { paymentId, at, actor };
  const hasText = stored !== "" && !stored.startsWith("{");
  if (hasText) return { ...context, kind: "legacy", was: kind, text: stored };
  const facts: object = JSON.parse(stored || "{}");
  return { ...context, kind, ...(kind === "held" ? { finding: readFinding(facts) } : facts) } as TimelineEntry;
}

/** Whether an entry has these facts. */
export function hasEntry(timeline: readonly TimelineEntry[], facts: Partial<EntryFacts>): boolean {
  return timeline.some((entry) => Object.entries(facts).every(([name, value]) => value === Reflect.get(entry, name)));
}

/** Whether the timeline shows that this transaction failed. */
export function hasFailedAttempt(timeline: readonly TimelineEntry[], transactionId: string | undefined): boolean {
  return transactionId !== undefined && hasEntry(timeline, { kind: "attempt_failed", transactionId });
}

/** Whether the order has shown the payment as paid. */
export function wasRecorded(timeline: readonly TimelineEntry[]): boolean {
  return timeline.some((entry) => (entry.kind === "legacy" ? entry.was : entry.kind) === "recorded");
}
