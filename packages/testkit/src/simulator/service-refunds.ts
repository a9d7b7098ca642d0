import { CheckoutError } from "@tillkit/core";
import type { ReasonQuirk } from "./hazards/money-hazards.ts";
import { happens, randomMs } from "./hazards/random-choice.ts";
import { disputedAmount, type SimulatedDispute } from "./service-disputes.ts";
import { type ServiceOptions, unavailable } from "./service-network.ts";
import type { SimulatedRefund, SimulatedTransaction } from "./service-readings.ts";

const MAX_REFUND_WAIT_MS = 20 * 60_000;

type RefundRequest = { readonly request: string; readonly key: string; readonly account: string | null };

/** The refunds of the service, by Idempotency-Key or from its dashboard. */
export function createServiceRefunds(
  options: ServiceOptions,
  findTransaction: (name: string) => SimulatedTransaction | null,
  disputes: readonly SimulatedDispute[],
) {
  const { clock, random, hazardRandom, refundRandom, money } = options;
  const refunds: SimulatedRefund[] = [];

  function request({ request, key, account }: RefundRequest): SimulatedRefund {
    const known = refunds.findLast(
      (refund) => refund.key === key && clock.now() < refund.createdAt + options.keyLifeMs,
    );
    if (known) return repeat(known, request);
    const body = JSON.parse(request) as { amount: number; transaction_id: string; reason?: string };
    if (money().reason === "refused" && isMarked(body.reason)) {
      throw new CheckoutError("refund_reason_refused", "The service answered 400: reason.");
    }
    const transaction = findTransaction(body.transaction_id);
    const isOfAccount = transaction?.account === account;
    const made =
      transaction && isOfAccount ? make(transaction, body.amount, { key, request, reason: body.reason }) : null;
    if (!made) throw new CheckoutError("refund_refused", "The service answered 422: amount_invalid.");
    // The answer lacks the refund's id, so the caller does not know whether the refund was made.
    if (happens(hazardRandom, options.hazards().omitsIds)) throw unavailable();
    made.isLost = happens(refundRandom, options.hazards().lostRefunds);
    if (made.isLost) throw unavailable();
    return made;
  }

  function repeat(known: SimulatedRefund, request: string): SimulatedRefund {
    const { lostRefunds, rejectsRetries } = options.hazards();
    if ((known.isLost && lostRefunds > 0) || happens(hazardRandom, rejectsRetries)) {
      throw new CheckoutError("refund_refused", "The service answered conflict.");
    }
    if (known.request === request) return known;
    throw new CheckoutError("refund_key_reused", "The service answered idempotency_key_reused.");
  }

  function make(
    transaction: SimulatedTransaction,
    amount: number,
    { key, request, reason }: Pick<SimulatedRefund, "key" | "request" | "reason">,
  ): SimulatedRefund | null {
    const { failedRefunds, pendingRefunds } = options.hazards();
    const disputed = money().refundsDisputed ? 0 : disputedAmount(disputes, transaction);
    const refunded = sumOf(
      refunds.filter((refund) => refund.transaction === transaction && refund.status !== "failed"),
    );
    if (refunded + disputed + amount > transaction.amount) return null;
    const now = clock.now();
    const refund: SimulatedRefund = {
      id: `re_${random.uuid()}`,
      key,
      request,
      transaction,
      amount,
      reason: keptReason(reason, money().reason),
      createdAt: now,
      place: refundRandom.fraction(),
      isLost: false,
      status: "pending",
      completedAt: null,
    };
    refunds.push(refund);
    const status = happens(random, failedRefunds) ? "failed" : "completed";
    if (happens(random, pendingRefunds)) {
      clock.setTimer(randomMs(random, MAX_REFUND_WAIT_MS), () => decideAndNotify(refund, status));
    } else {
      decide(refund, status, now);
    }
    return refund;
  }

  function decideAndNotify(refund: SimulatedRefund, status: "completed" | "failed"): void {
    decide(refund, status, clock.now());
    options.onRefundDecided(refund);
  }

  return {
    refunds,
    request,
    /** The owner refunds a transaction in the service's dashboard. */
    makeInDashboard: (transaction: SimulatedTransaction, amount: number) =>
      make(transaction, amount, { key: null, request: "", reason: undefined }),
    completedAmount: (transaction: SimulatedTransaction): number =>
      sumOf(refunds.filter((refund) => refund.transaction === transaction && refund.status === "completed")),
  };
}

function sumOf(refunds: readonly SimulatedRefund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

function decide(refund: SimulatedRefund, status: "completed" | "failed", now: number): void {
  refund.status = status;
  refund.completedAt = status === "completed" ? now : null;
}

function isMarked(reason: string | undefined): boolean {
  return reason !== undefined && /^TK[ST][2-9A-Z]{10}\b/.test(reason);
}

function keptReason(reason: string | undefined, quirk: ReasonQuirk): string | undefined {
  if (reason === undefined || quirk === "kept" || quirk === "refused") return reason;
  if (quirk === "dropped") return undefined;
  if (quirk === "recased") return reason.toLowerCase();
  return quirk === "changed" ? "Other" : reason.slice(0, quirk);
}
