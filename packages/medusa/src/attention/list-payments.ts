import { type Language, limits, type PaymentState } from "@tillkit/core";
import { pluginLimits } from "../limits.ts";
import type { Till } from "../till/open-till.ts";
import { type PaymentView, viewOf } from "./payment-view.ts";

/** `attention`: money is here and pays nothing yet. `refunded`: all of it went back. */
export type Show = "attention" | "refunded" | "all";

export type PaymentPage = {
  readonly payments: readonly PaymentView[];
  readonly next: string | null;
  /** Work that was given up after days of tries, and webhooks about payments of ours that this ledger does not hold. */
  readonly given_up: number;
  readonly orphan_webhooks: number;
};

const STATES: Readonly<Record<Show, readonly PaymentState[] | undefined>> = {
  attention: ["review", "duplicate", "refunding", "verified"],
  refunded: ["refunded"],
  all: undefined,
};

export async function listPayments(
  till: Till,
  { show, after, language }: { readonly show: Show; readonly after: string | undefined; readonly language: Language },
): Promise<PaymentPage> {
  const { ledger, options, engine } = till;
  const states = STATES[show];
  const [page, jobs, deliveries] = await Promise.all([
    ledger.listPayments({
      storeId: options.storeId,
      limit: pluginLimits.pageRows,
      ...(states ? { states } : {}),
      ...(after === undefined ? {} : { after }),
    }),
    ledger.countJobs(engine.clock.now()),
    ledger.countDeliveries(),
  ]);
  // A payment that was verified a moment ago is on its way to its order: nobody has to look.
  const freshSince = engine.clock.now() - limits.orderLeaseMs;
  const rows = page.rows.filter(
    ({ state, createdAt }) => show !== "attention" || state !== "verified" || createdAt < freshSince,
  );
  return {
    payments: await Promise.all(rows.map((payment) => viewOf(till, payment, language))),
    next: page.next,
    given_up: jobs.dead,
    orphan_webhooks: deliveries.orphan,
  };
}

export function readShow(value: unknown): Show {
  return value === "refunded" || value === "all" ? value : "attention";
}
