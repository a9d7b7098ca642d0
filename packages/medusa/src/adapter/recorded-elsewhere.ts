import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Medusa has no way to write down a refund without asking the provider for it. While we let it write down money that went
 * back already, our own provider has to say yes and send nothing.
 */
const writing = new AsyncLocalStorage<string>();

/** `paymentId`: whose money went back. */
export function whileWritingDown<Value>(paymentId: string, work: () => Promise<Value>): Promise<Value> {
  return writing.run(paymentId, work);
}

export function isBeingWrittenDown(paymentId: string): boolean {
  return writing.getStore() === paymentId;
}
