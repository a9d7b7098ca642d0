import { codeOf } from "../domain/checkout-error.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { Page } from "../ports/ledger-view.ts";
import type { Log } from "../ports/log.ts";
import type { RefundToRecord, StoreAnswer } from "../ports/store-adapter.ts";
import type { ShownRefund } from "../ports/store-refunds.ts";
import { recordUnanswered } from "./repeated-request.ts";
import { isNamed } from "./shown-refund.ts";

export type MissingRefundsHost = {
  readonly ledger: Pick<Ledger, "records" | "listRefunds" | "paymentsWithMovements">;
  readonly log: Pick<Log, "warn">;
  /** What the stores show as refunds of these payments. */
  listShown(payments: readonly Payment[]): Promise<readonly ShownRefund[]>;
  /** Records one, once. Null: nobody sells in this store any more. */
  record(refund: RefundToRecord): Promise<StoreAnswer | null>;
};

const REFUNDS_PER_PAGE = 100;

/**
 * Records the refunds that a store requested since `from` and does not show: the server died during the request, the service's answer was lost,
 * or the store rolled the request back.
 *
 * @returns when the oldest refund was requested that must be looked at again: it has no result yet, or the store could not be written
 */
export async function recordMissingRefunds(host: MissingRefundsHost, from: number): Promise<number> {
  let oldestOpen = Number.POSITIVE_INFINITY;
  for (let after: string | null = ""; after !== null; ) {
    const page: Page<Refund> = await host.ledger.listRefunds({
      from,
      limit: REFUNDS_PER_PAGE,
      ...(after === "" ? {} : { after }),
    });
    for (const { requestedAt } of await openAfterRecording(host, page.rows))
      oldestOpen = Math.min(oldestOpen, requestedAt);
    after = page.next;
  }
  return oldestOpen;
}

async function openAfterRecording(host: MissingRefundsHost, refunds: readonly Refund[]): Promise<readonly Refund[]> {
  const requested = refunds.filter(({ origin, state }) => origin === "store" && state !== "failed");
  const completed = requested.filter(({ state }) => state === "completed");
  const ids = [...new Set(completed.map(({ paymentId }) => paymentId))];
  const payments = ids.length === 0 ? [] : await host.ledger.paymentsWithMovements(ids);
  const shown = payments.length === 0 ? [] : await host.listShown(payments.map(({ payment }) => payment));
  const open: Refund[] = requested.filter(({ state }) => state !== "completed");
  for (const refund of completed.filter((one) => !shown.some((row) => isNamed(row, one)))) {
    const found = payments.find(({ payment }) => payment.id === refund.paymentId);
    if (found && !(await recordRefund(host, found.payment, refund))) open.push(refund);
  }
  return open;
}

async function recordRefund(host: MissingRefundsHost, payment: Payment, refund: Refund): Promise<boolean> {
  const { id: paymentId, ref, attempt } = payment;
  const { key, refundId, amount } = refund;
  const completed = { paymentId, refundId: refundId ?? "", key, ref, attempt, amount, status: "completed" } as const;
  try {
    await recordUnanswered(host.ledger, ref.storeId, refund, async () =>
      (await host.record(completed))?.outcome === "already" ? "shown" : "recorded",
    );
    return true;
  } catch (error) {
    host.log.warn("refund.not_recorded", { paymentId, code: codeOf(error) });
    return false;
  }
}
