import { processStorage } from "../process-storage.ts";

/**
 * Medusa records a refund only by asking the payment provider to send it. While Medusa records a refund that the service
 * has already made, our provider accepts the request and sends nothing.
 */
const recordOnlyPayment = processStorage<string>("record-only-refund");

/** During `work` a refund of this payment is recorded and not sent. */
export function runRecordOnly<Value>(paymentId: string, work: () => Promise<Value>): Promise<Value> {
  return recordOnlyPayment.run(paymentId, work);
}

export function isRecordOnly(paymentId: string): boolean {
  return recordOnlyPayment.getStore() === paymentId;
}
