import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Vendure records a refund only by asking the payment method's handler to send it. While Vendure records a refund that the service
 * has already made, our handler accepts the request and sends nothing.
 */
const recordedRefund = new AsyncLocalStorage<{ readonly refundId: string }>();

/** During `work` a refund is recorded under this id and not sent. */
export function withRecordedRefund<Result>(refundId: string, work: () => Promise<Result>): Promise<Result> {
  return recordedRefund.run({ refundId }, work);
}

export function currentRecordedRefund(): { readonly refundId: string } | undefined {
  return recordedRefund.getStore();
}
