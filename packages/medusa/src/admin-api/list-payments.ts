import { type Language, limits, type PaymentState } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { type PaymentView, toPaymentView } from "./payment-view.ts";

/** `review`: received payments that pay no order yet. `refunded`: fully refunded payments. */
export type PaymentFilter = "review" | "refunded" | "all";

export type PaymentPage = {
  readonly payments: readonly PaymentView[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
  readonly dead_letter_jobs: number;
  /** Webhooks about payments of this store that its ledger does not contain. */
  readonly orphan_webhooks: number;
};

const STATES: Readonly<Record<PaymentFilter, readonly PaymentState[] | undefined>> = {
  review: ["review", "duplicate", "refunding", "verified"],
  refunded: ["refunded"],
  all: undefined,
};

export type ListPaymentsQuery = {
  readonly filter: PaymentFilter;
  readonly after: string | undefined;
  readonly language: Language;
};

export async function listPayments(
  runtime: CheckoutRuntime,
  { filter, after, language }: ListPaymentsQuery,
): Promise<PaymentPage> {
  const { ledger, options, engine } = runtime;
  const states = STATES[filter];
  const [page, jobs, deliveries] = await Promise.all([
    ledger.listPayments({
      storeId: options.storeId,
      limit: pluginLimits.paymentsPerPage,
      ...(states ? { states } : {}),
      ...(after === undefined ? {} : { after }),
    }),
    ledger.countJobs(engine.clock.now()),
    ledger.countDeliveries(),
  ]);
  // A recently verified payment gets its order within seconds and needs no review.
  const recentSince = engine.clock.now() - limits.orderLeaseMs;
  const rows = page.rows.filter(
    ({ state, createdAt }) => filter !== "review" || state !== "verified" || createdAt < recentSince,
  );
  return {
    payments: await Promise.all(rows.map((payment) => toPaymentView(runtime, payment, language))),
    next: page.next,
    dead_letter_jobs: jobs.dead,
    orphan_webhooks: deliveries.orphan,
  };
}

export function readFilter(value: unknown): PaymentFilter {
  return value === "refunded" || value === "all" ? value : "review";
}
