import type { HostFacts } from "../../src/back-office/decision.ts";
import { viewOf } from "../../src/back-office/offers.ts";
import type { Dispute } from "../../src/domain/dispute.ts";
import { NEW_PAYMENT_DEFAULTS, type Payment } from "../../src/domain/payment.ts";
import type { Refund } from "../../src/domain/refund.ts";

export const HOUR = 3_600_000;
export const NOW = Date.UTC(2026, 10, 28, 9);
export const xof = (minor: number) => ({ minor, currency: "XOF" });

export const payment: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "payment-1",
  ref: { storeId: "boutique", orderId: "1042" },
  orderNumber: "1042",
  attempt: "",
  environment: "test",
  account: null,
  credentialId: "test",
  createdAt: NOW - 48 * HOUR,
  amountDue: xof(32_500),
  wireAmount: 32_500,
  request: "{}",
  reference: "payment-1.signed",
  session: { id: "cs_1", url: "https://pay.example/cs_1", expiresAt: NOW },
  amountReceived: xof(32_500),
  transactionId: "tx-1",
  state: "recorded",
};

export const refund: Refund = {
  key: "refund-1",
  paymentId: payment.id,
  origin: "store",
  amount: xof(5_000),
  request: "{}",
  transactionId: "tx-1",
  state: "completed",
  refundId: "rf-1",
  requestedAt: NOW - HOUR,
  readOnlySince: null,
  otherKeys: [],
  mark: null,
  markReadAt: null,
  unmarkedKey: null,
};

export const dispute: Dispute = {
  id: "dp-1",
  paymentId: payment.id,
  transactionId: "tx-1",
  amount: xof(26_000),
  reason: "fraudulent",
  status: "closed",
  outcome: "lost",
  evidenceDueBy: null,
  openedAt: NOW - 2 * HOUR,
  updatedAt: NOW - HOUR,
};

export const NO_HOST: HostFacts = { seen: [], refundsPaid: true, failedRefunds: [] };
export const viewWith = (
  refunds: readonly Refund[],
  disputes: readonly Dispute[] = [],
  changed: Partial<Payment> = {},
  host = NO_HOST,
) => viewOf({ ...payment, ...changed }, { transactions: [], refunds, disputes }, host, NOW);
