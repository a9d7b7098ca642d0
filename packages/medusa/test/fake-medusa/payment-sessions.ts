import { type CountedProvider, PROVIDER_ID } from "./provider.ts";
import { type FakeCart, type FakeSession, type FakeTables, removeRow, requireCollection } from "./tables.ts";

/** A cart or an order's outstanding amount, which has a payment collection and no cart. */
export type Payable = Pick<FakeCart, "collectionId">;

export type PaymentSessions = {
  /** Replaces the sessions of the collection by a new one. */
  initiate(payable: Payable, data?: Record<string, unknown>, providerId?: string): Promise<FakeSession>;
  deleteAll(payable: Payable): Promise<void>;
};

export function createPaymentSessions(tables: FakeTables, provider: CountedProvider): PaymentSessions {
  async function initiate(payable: Payable, data: Record<string, unknown> = {}, providerId = PROVIDER_ID) {
    await deleteAll(payable);
    const { id: collectionId, amount, currencyCode } = requireCollection(tables, payable.collectionId);
    const session: FakeSession = {
      id: tables.newId("payses"),
      collectionId,
      providerId,
      amount,
      status: "pending",
      data: { ...data },
    };
    tables.sessions.push(session);
    if (providerId !== PROVIDER_ID) return session;
    try {
      const answer = await provider.call("initiatePayment", {
        amount: Number(amount),
        currency_code: currencyCode,
        data: { ...data, session_id: session.id },
        context: { idempotency_key: session.id },
      });
      session.data = { ...data, ...answer.data };
      session.status = answer.status ?? "pending";
      return session;
    } catch (error) {
      removeRow(tables.sessions, session);
      throw error;
    }
  }

  async function deleteAll(payable: Payable): Promise<void> {
    for (const session of tables.sessions.filter(({ collectionId }) => collectionId === payable.collectionId)) {
      if (session.providerId === PROVIDER_ID) await provider.call("deletePayment", { data: session.data });
      removeRow(tables.sessions, session);
    }
  }

  return { initiate, deleteAll };
}
