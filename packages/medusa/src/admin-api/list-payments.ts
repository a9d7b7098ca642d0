import type { Language, Payment, PaymentState } from "@tillkit/core";
import type { FoundCopy } from "@tillkit/core/hosts";
import { pluginLimits } from "../limits.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { findCopy } from "./copied-shop.ts";
import { listAttention } from "./list-attention.ts";
import { type PaymentView, toPaymentView } from "./payment-view.ts";
import { searchPayments } from "./search-payments.ts";

/** `review`: received payments that pay no order yet, and refunds that failed late. `refunded`: fully refunded payments. */
export type PaymentFilter = "review" | "refunded" | "all";

export type PaymentPage = {
  readonly payments: readonly PaymentView[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
  readonly dead_letter_jobs: number;
  /** Webhooks about payments of this store that its ledger does not contain. */
  readonly orphan_webhooks: number;
  /** Where this shop looks like a copy of another, until a person has said whether it moved. */
  readonly copy: FoundCopy | null;
};

/** Undefined: every state. */
const STATES: Readonly<Record<PaymentFilter, readonly PaymentState[] | undefined>> = {
  review: ["review", "duplicate", "refunding", "verified"],
  refunded: ["refunded"],
  all: undefined,
};

export type ListPaymentsQuery = {
  readonly filter: PaymentFilter;
  readonly after: string | undefined;
  /** Finds payments by an id, an order's number or a customer's e-mail, in every state; `filter` and `after` do not apply. */
  readonly search?: string | undefined;
  readonly language: Language;
};

export async function listPayments(
  runtime: CheckoutRuntime,
  { filter, after, search = "", language }: ListPaymentsQuery,
): Promise<PaymentPage> {
  if (search.trim() !== "") {
    const found = await searchPayments(runtime, search);
    const payments = await Promise.all(found.map((payment) => toPaymentView(runtime, payment, language)));
    return { payments, next: null, dead_letter_jobs: 0, orphan_webhooks: 0, copy: null };
  }
  const { ledger, options, engine } = runtime;
  const states = STATES[filter];
  const isFirstPageToReview = filter === "review" && after === undefined;
  const [attention, page, jobs, deliveries, copy] = await Promise.all([
    isFirstPageToReview ? listAttention(runtime) : [],
    ledger.listPayments({
      storeId: options.storeId,
      limit: pluginLimits.paymentsPerPage,
      ...(states ? { states } : {}),
      ...(after === undefined ? {} : { after }),
    }),
    ledger.countJobs(engine.clock.now()),
    ledger.countDeliveries(),
    findCopy(runtime),
  ]);
  const recentSince = engine.clock.now() - pluginLimits.placingMs;
  const others = page.rows.filter(({ id, state, createdAt }) => {
    // A recently verified payment gets its order within seconds and needs no review.
    const isBeingPlaced = state === "verified" && createdAt >= recentSince;
    if (filter === "review" && isBeingPlaced) return false;
    return !attention.some((payment) => payment.id === id);
  });
  return {
    payments: await Promise.all([...attention, ...others].map((payment) => toPaymentView(runtime, payment, language))),
    next: page.next,
    dead_letter_jobs: jobs.dead,
    orphan_webhooks: deliveries.orphan,
    copy,
  };
}

/** How many payments wait for a person: held payments, second payments of an order, paid carts without an order, and those of `listAttention`. */
export async function countToReview(runtime: CheckoutRuntime): Promise<number> {
  const { ledger, options, engine } = runtime;
  const { storeId } = options;
  const until = engine.clock.now() - pluginLimits.placingMs;
  const [counts, unplaced, attention] = await Promise.all([
    ledger.countPayments({ storeId }),
    ledger.listPayments({ storeId, states: ["verified"], until, limit: pluginLimits.paymentsPerPage }),
    listAttention(runtime),
  ]);
  // Payments in review, duplicates and paid carts without an order are counted already.
  const isCounted = ({ id, state }: Payment) =>
    state === "review" || state === "duplicate" || unplaced.rows.some((row) => row.id === id);
  const added = attention.filter((payment) => !isCounted(payment));
  return counts.review + counts.duplicate + unplaced.rows.length + added.length;
}

export function readFilter(value: unknown): PaymentFilter {
  return value === "refunded" || value === "all" ? value : "review";
}
