import { AsyncLocalStorage } from "node:async_hooks";

/** A refund that Vendure only records. `metadata`: what Vendure stores with it. */
export type RecordedOnly = { readonly refundId: string; readonly metadata: Record<string, unknown> };

/**
 * Vendure records a refund only by asking the payment handler to send the refund. While Vendure records a refund that the service
 * has already made, our handler accepts the request and sends nothing.
 */
const recordedRefund = new AsyncLocalStorage<RecordedOnly>();

/** Lets Vendure record this refund during `work`. Nothing is sent to the service. */
export function withRecordedRefund<Result>(refund: RecordedOnly, work: () => Promise<Result>): Promise<Result> {
  return recordedRefund.run(refund, work);
}

/** The refund that is only recorded in this call; undefined in every refund that must be sent. */
export function currentRecordedRefund(): RecordedOnly | undefined {
  return recordedRefund.getStore();
}
