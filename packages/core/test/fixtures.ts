import type { Order } from "../src/domain/order.ts";
import type { Payment } from "../src/domain/payment.ts";
import type { Refund } from "../src/domain/refund.ts";
import { signReference } from "../src/signing/reference.ts";

export const REFERENCE_KEY = "reference key of the tests";

/** An order of 5 000 F CFA, not paid yet. */
export function anOrder(changes: Partial<Order> = {}): Order {
  return {
    ref: { storeId: "shop", orderId: "1042" },
    attempt: "",
    total: { minor: 5000, currency: "XOF" },
    title: "Order 1042",
    environment: "test",
    language: "en",
    payable: true,
    paidBy: null,
    ...changes,
  };
}

/** Its payment, with an open session. */
export function aPayment(changes: Partial<Payment> = {}): Payment {
  const id = changes.id ?? "payment-1";
  return {
    id,
    ref: { storeId: "shop", orderId: "1042" },
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "key",
    createdAt: 0,
    amountDue: { minor: 5000, currency: "XOF" },
    wireAmount: 5000,
    request: "{}",
    reference: signReference(id, REFERENCE_KEY),
    session: { id: "session-1", url: "https://pay.service.example/cs_1", expiresAt: 3_600_000 },
    amountReceived: null,
    transactionId: null,
    state: "open",
    version: 1,
    checks: 0,
    nextCheckAt: null,
    storeWriteAt: null,
    storeTries: 0,
    storeRetryAt: null,
    continueUrl: null,
    finding: null,
    waiver: null,
    ...changes,
  };
}

/** A refund of the whole payment, done. */
export function aRefund(changes: Partial<Refund> = {}): Refund {
  return {
    key: "refund-key-1",
    paymentId: "payment-1",
    origin: "service",
    amount: { minor: 5000, currency: "XOF" },
    request: "",
    transactionId: "transaction-1",
    state: "completed",
    refundId: "refund-1",
    askedAt: 0,
    readOnlySince: null,
    otherKeys: [],
    ...changes,
  };
}
