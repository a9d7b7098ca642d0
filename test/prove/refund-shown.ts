import type { Engine } from "@tillkit/core";
import { type Decided, decide, SHOP_REFUNDS, viewPayment } from "@tillkit/core/back-office";

/** The owner refunds what is left of a payment that does not count for its order, on its page as it is now. Null: there is no such payment. */
export async function refundShown(engine: Engine, paymentId: string): Promise<Decided | null> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (!payment) return null;
  const office = { engine, acts: { recordAct: async () => {} }, host: SHOP_REFUNDS };
  const { seen } = await viewPayment(office, payment);
  const person = { by: "owner", right: "operator", storeId: null } as const;
  return await decide(office, { kind: "refund", transactionId: null, amount: null, paymentId, seen, person });
}
