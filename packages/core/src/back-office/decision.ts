import type { DisputeOutcome } from "../domain/dispute.ts";
import type { Equation } from "../domain/equation.ts";
import type { JobError } from "../domain/job.ts";
import type { Money } from "../domain/money.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Refusal } from "../domain/refusal.ts";

/**
 * What a person decides about one payment. `transactionId` of a refund: the transaction to refund, or null for the one that paid the session.
 * `amount`: null for all that can be refunded without a second step.
 * `overDispute`: the person has confirmed that the refund may take the disputed sum that they saw.
 */
export type Choice =
  | { readonly kind: "accept" }
  /** The shop places the order of this payment (Medusa). */
  | { readonly kind: "place" }
  | {
      readonly kind: "refund";
      readonly transactionId: string | null;
      readonly amount: Money | null;
      readonly overDispute?: true;
      readonly reason?: string;
    }
  | { readonly kind: "nameTransaction"; readonly transactionId: string }
  /** The person has looked in the service's dashboard whether a refund in doubt was made. */
  | { readonly kind: "looked"; readonly refundKey: string; readonly wasMade: boolean }
  | { readonly kind: "disputeOutcome"; readonly disputeId: string; readonly outcome: DisputeOutcome }
  /** A refund that the shop shows as made has failed: it is sent once more, or was settled in another way. */
  | { readonly kind: "sendAgain"; readonly refundKey: string }
  | { readonly kind: "settledOutside"; readonly refundKey: string; readonly reason: string };

export type ChoiceKind = Choice["kind"];

/**
 * Who looks or decides. `by`: a role or a login for the timeline, never an e-mail. `right`: a viewer decides nothing. `storeId`: the only store
 * whose payments this person sees; null: every store of the ledger.
 */
export type Person = { readonly by: string; readonly right: "viewer" | "operator"; readonly storeId: string | null };

/**
 * `seen`: `View.seen` of what the person saw. `id`: names this decision, so that a repeat of it is answered with its result. Default: what was
 * seen and chosen, so that a second click on the same view is the same decision.
 */
export type Decision = Choice & {
  readonly paymentId: string;
  readonly person: Person;
  readonly seen: string;
  readonly id?: string;
};

/** One action of a view. */
export type Offer = {
  readonly kind: ChoiceKind;
  /** The transaction, refund or dispute that the action is about; null for the payment as a whole. */
  readonly subject: string | null;
  /** What a refund may take without a second step. Zero where nothing is left. */
  readonly max?: Money;
  /** What a refund may take if the person confirms the disputed sum; null where no dispute holds or took money. */
  readonly overDispute?: { readonly disputed: Money; readonly atMost: Money } | null;
  /** Null: the action is offered. */
  readonly why: Refusal | null;
};

/** A payment as a person decides about it. */
export type View = {
  readonly payment: Payment;
  readonly movements: Movements;
  /** One for each transaction, the transaction that paid the session first. */
  readonly sums: readonly [Equation, ...Equation[]];
  /** Their sum. */
  readonly sum: Equation;
  readonly host: HostFacts;
  /**
   * Names everything that a decision may depend on: the payment's state and difference, each movement of its money, and the shop's facts. Polls,
   * repeated webhooks, evidence and other languages leave it equal; every change that matters changes it.
   */
  readonly seen: string;
  readonly offers: readonly Offer[];
};

/** What the shop's own records say about a payment. They are read for every view, and again right before a decision is committed. */
export type HostFacts = {
  /** What of them a decision may depend on, such as the total of a cart. */
  readonly seen: readonly (string | number | boolean | null)[];
  /** Whether a payment that pays its order is refunded here, because the shop's own page of the order cannot do it. */
  readonly refundsPaid: boolean;
  /** Whether the shop could place the order now. Absent: this host places no orders. */
  readonly place?: Refusal | null;
  readonly failedRefunds: readonly FailedRefund[];
};

/**
 * A refund that failed and that nothing replaced. `isShown`: the shop shows it as made and counts its amount as refunded, so another one can only
 * be sent in its place. Any other is refunded anew.
 */
export type FailedRefund = { readonly key: string; readonly isShown: boolean };

/** The part of a back office that only one host has. */
export interface Host {
  facts(payment: Payment): Promise<HostFacts>;
  place?(payment: Payment, decision: HostDecision): Promise<Placed>;
  sendAgain?(payment: Payment, refundKey: string, decision: HostDecision): Promise<Refund>;
  settledOutside?(payment: Payment, refundKey: string, decision: HostDecision & { reason: string }): Promise<void>;
}

/** `why`: why the order was not placed. `error`: why the shop does not show it yet; a job tries again. */
export type Placed = { readonly why: Refusal | null; readonly error: JobError | null };

/**
 * `id`: committed with what the decision changes, as `decision` of its timeline entry, so that a repeat of it is recognized. `stillApplies`: whether
 * everything is as the person saw it, to be asked right before the decision is committed.
 */
export type HostDecision = { readonly by: string; readonly id: string; stillApplies(): Promise<boolean> };

/**
 * `changed`: the payment is not as the person saw it, so nothing was done; the view shows how it is now. `refused`: the decision was not carried
 * out; the same decision may succeed later if the reason is `retryable`. `unknown`: there is no such payment, or it belongs to a store that the person does not see.
 * `error` of a decision that is done: why the shop does not show the payment yet; a job tries again.
 */
export type Decided =
  | { readonly status: "done"; readonly view: View; readonly refund: Refund | null; readonly error: JobError | null }
  | { readonly status: "changed"; readonly view: View }
  | { readonly status: "refused"; readonly why: Refusal; readonly retryable: boolean; readonly view: View }
  | { readonly status: "unknown" };
