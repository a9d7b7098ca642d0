import type { PaymentState } from "@tillkit/core";
import type { DeliveryOutcome, JobKind, RefundState } from "@tillkit/core/ledger";

/** What a person can do about a payment or a job. */
export type AdviceCode =
  | "acceptable"
  | "not_acceptable"
  | "duplicate"
  | "shortfall"
  | "surplus"
  | "dispute_ended"
  | "store_not_updated"
  | "reconnect"
  | "owner"
  | "stopped"
  | "by_hand"
  | "ask_host"
  | "orphan";

/** The result of a decision, which the next page shows at the top. */
export type NoticeCode =
  | "accepted"
  | "refunded"
  | "refunded_in_part"
  | "refund_pending"
  | "refund_settled"
  | "dispute_decided"
  | "installation_moved"
  | "installation_copy"
  | "transaction_named"
  | "retried"
  | "ended"
  | "in_progress";

export type DeliveryKind = DeliveryOutcome | "waiting";

/** The status of a dispute; `over`: decided, and the service did not report whether it was won or lost. */
export type DisputeKind = "pending" | "won" | "lost" | "over";

export type OperatorTexts = {
  readonly title: string;
  readonly menu: {
    readonly overview: string;
    readonly payments: string;
    readonly refunds: string;
    readonly disputes: string;
    readonly deliveries: string;
    readonly endpoints: string;
    readonly dead: string;
    readonly export: string;
    readonly acts: string;
    readonly shops: string;
    readonly label: string;
  };
  readonly otherLanguage: string;
  readonly login: {
    /** For the owner of a shop, who has no token. */
    readonly owner: string;
    readonly heading: string;
    readonly lead: string;
    readonly token: string;
    readonly button: string;
    readonly wrong: string;
    readonly tooMany: string;
    /** The heading of a page that opens another page by itself, and its link for browsers that do not follow. */
    readonly opening: string;
    readonly open: string;
    /** The button that logs out. */
    readonly out: string;
  };
  readonly search: {
    readonly label: string;
    readonly hint: string;
    readonly button: string;
    readonly none: string;
    /** Above the payments of the amount that was searched for. */
    readonly ofAmount: string;
    /** The link to the list of payments, with the amount that was searched for. */
    readonly byAmount: string;
  };
  readonly overview: {
    readonly heading: string;
    readonly attention: string;
    readonly nothing: string;
    /** The heading above the stores and services that do not answer. */
    readonly down: string;
    readonly storeRefuses: (store: string, since: string) => string;
    /** `nextAttempt` is null once its time has come. */
    readonly storeDown: (store: string, nextAttempt: string | null) => string;
    readonly serviceDown: (credential: string, nextAttempt: string | null) => string;
    readonly work: string;
    readonly webhooks: string;
    /** The link to the list of all dead-letter jobs. */
    readonly all: (count: number) => string;
    /** The summary of the folded part of a list. */
    readonly others: (count: number) => string;
  };
  readonly disputes: {
    readonly heading: string;
    readonly lead: string;
    readonly one: string;
    readonly kinds: Readonly<Record<DisputeKind, string>>;
    readonly open: (count: number) => string;
    readonly dueBy: (at: string) => string;
    readonly tooLate: (at: string) => string;
    readonly noAmount: string;
    readonly answer: string;
  };
  readonly work: { readonly due: string; readonly waiting: string; readonly dead: string };
  readonly states: Readonly<Record<PaymentState, string>>;
  /** Names of lists and counts. */
  readonly deliveryKinds: Readonly<Record<DeliveryKind, string>>;
  /** What one delivery is. */
  readonly deliveryKind: Readonly<Record<DeliveryKind, string>>;
  readonly deliveryHelp: Readonly<Record<DeliveryKind, string>>;
  readonly advice: Readonly<Record<AdviceCode, string>>;
  readonly lists: {
    readonly order: string;
    readonly payments: (state: string | null) => string;
    readonly deliveries: string;
    readonly dead: string;
    readonly deadLead: string;
    /** Links to the older rows of a list, and back to its newest rows. */
    readonly more: string;
    readonly first: string;
    /** The choice that filters nothing. */
    readonly every: string;
    readonly pruned: string;
    readonly tries: (count: number) => string;
  };
  readonly payment: {
    readonly timeline: string;
    readonly facts: string;
    readonly order: string;
    readonly store: string;
    readonly payment: string;
    readonly session: string;
    readonly transaction: string;
    readonly unknown: string;
    readonly waiver: (by: string, at: string) => string;
    readonly refunds: string;
    readonly refundStates: Readonly<Record<RefundState, string>>;
    /** `at` is null once its time has come. */
    readonly nextTry: (at: string | null) => string;
    readonly others: string;
    readonly test: string;
  };
  readonly decide: {
    readonly heading: string;
    readonly acceptLink: string;
    readonly refundLink: string;
    readonly acceptHeading: string;
    readonly acceptLead: string;
    readonly acceptAfter: string;
    readonly name: string;
    /** Instead of the field for a name, when the token has a name. */
    readonly as: (name: string) => string;
    readonly nameHint: string;
    readonly acceptButton: string;
    readonly refundHeading: (amount: string) => string;
    readonly refundLead: string;
    readonly refundButton: (amount: string) => string;
    readonly back: string;
    readonly retry: string;
    readonly recordedByHand: string;
  };
  readonly jobs: Readonly<Record<JobKind, string>> & Readonly<Record<string, string>>;
  readonly notices: Readonly<Record<NoticeCode, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly otherProblem: (code: string) => string;
  readonly export: {
    readonly heading: string;
    readonly lead: string;
    readonly from: string;
    readonly until: string;
    readonly store: string;
    readonly button: string;
  };
  readonly pageNotFound: string;
};
