import { notAllowed } from "./not-allowed.ts";
import type { PaymentSessions } from "./payment-sessions.ts";
import { type CountedProvider, PROVIDER_ID } from "./provider.ts";
import { type FakePayment, type FakeSession, type FakeTables, removeRow } from "./tables.ts";

/** Medusa's built-in manual provider. "Mark as paid" captures with it; stores also offer it as cash on delivery. */
const SYSTEM_PROVIDER_ID = "pp_system_default";

export type RefundInMedusa = { readonly note: string | null; readonly by: string | null };

export type Payments = {
  /** Returns the payment of the session: one per session, also after repeated calls. Amounts are never compared. */
  authorize(session: FakeSession): Promise<FakePayment>;
  /** A refund that the provider refuses leaves no row. Without `request`, a person asks for it and writes no note. */
  refund(payment: FakePayment, amount: string, request?: RefundInMedusa): Promise<void>;
  /** "Mark as paid" on the order's page: deletes the sessions and captures the full amount with the manual provider. */
  markAsPaid(collectionId: string, by: string): Promise<FakePayment>;
  /** The next write of a payment row fails, after the provider reported it as captured. */
  failNextWrite(): void;
};

export function createPayments(tables: FakeTables, provider: CountedProvider, sessions: PaymentSessions): Payments {
  let failsNextWrite = false;
  const paymentOf = (session: FakeSession) => tables.payments.find(({ sessionId }) => sessionId === session.id);

  async function authorize(session: FakeSession): Promise<FakePayment> {
    const existing = paymentOf(session);
    if (existing) return existing;
    const context = { idempotency_key: session.id };
    const { status, data = {} } = await provider.call("authorizePayment", { data: session.data, context });
    session.data = data;
    if (status !== "captured") {
      session.status = status;
      throw notAllowed(`Session: ${session.id} was not authorized with the provider.`);
    }
    // Another caller may have written the payment while the provider answered.
    if (failsNextWrite || paymentOf(session)) {
      failsNextWrite = false;
      await provider.call("cancelPayment", { data, context: {} });
      throw new Error("The payment could not be written.");
    }
    const { id: sessionId, collectionId, providerId, amount } = session;
    const row = { sessionId, collectionId, providerId, amount, data, captures: 1 };
    const payment: FakePayment = { id: tables.newId("pay"), ...row, canceledAt: null, refunds: [] };
    session.status = "authorized";
    tables.payments.push(payment);
    return payment;
  }

  async function refund(payment: FakePayment, amount: string, request?: RefundInMedusa): Promise<void> {
    const row = { id: tables.newId("ref"), amount, note: null, by: "user_01", ...request };
    payment.refunds.push(row);
    // Medusa's manual provider accepts every refund and sends nothing.
    if (payment.providerId !== PROVIDER_ID) return;
    try {
      const answer = await provider.call("refundPayment", {
        amount: { value: amount, precision: 20 } as never,
        data: payment.data,
        context: { idempotency_key: row.id },
      });
      payment.data = answer.data ?? {};
    } catch (error) {
      removeRow(payment.refunds, row);
      throw error;
    }
  }

  async function markAsPaid(collectionId: string, by: string): Promise<FakePayment> {
    const { id: sessionId, amount } = await sessions.initiate({ collectionId }, {}, SYSTEM_PROVIDER_ID);
    const row = { sessionId, collectionId, providerId: SYSTEM_PROVIDER_ID, amount, data: {}, captures: 1 };
    const captured = { by, at: new Date() };
    const payment = { id: tables.newId("pay"), ...row, captured, canceledAt: null, refunds: [] };
    tables.payments.push(payment);
    return payment;
  }

  return {
    authorize,
    refund,
    markAsPaid,
    failNextWrite() {
      failsNextWrite = true;
    },
  };
}
