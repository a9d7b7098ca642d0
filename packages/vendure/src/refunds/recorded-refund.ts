import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Vendure records a refund only by asking the payment handler to send the refund. While Vendure records a refund that the service
 * has already made, our handler accepts the request and sends nothing.
 */
const recordedRefund = new AsyncLocalStorage<{ readonly refundId: string }>();

/** Lets Vendure record the refund with this id during `work`. Nothing is sent to the service. */
export function withRecordedRefund<Result>(refundId: string, work: () => Promise<Result>): Promise<Result> {
  return recordedRefund.run({ refundId }, work);
}

/** The refund that is only recorded in this call; undefined in every refund that must be sent. */
export function currentRecordedRefund(): { readonly refundId: string } | undefined {
  return recordedRefund.getStore();
}
