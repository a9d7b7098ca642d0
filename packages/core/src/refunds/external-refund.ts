import type { Money } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";

const EXTERNAL_PREFIX = "service:";

/** The key of a refund that was made in the service's dashboard. `externalRefundId` is the reverse and returns null for every other key. */
export function externalRefundKey(refundId: string): string {
  return `${EXTERNAL_PREFIX}${refundId}`;
}

export function externalRefundId(key: string): string | null {
  return key.startsWith(EXTERNAL_PREFIX) ? key.slice(EXTERNAL_PREFIX.length) : null;
}

export function toExternalRefund(
  payment: Payment,
  { id, status, amount, createdAt, transactionId = "" }: RefundReading & { readonly amount: Money },
): Refund {
  return {
    key: externalRefundKey(id),
    paymentId: payment.id,
    origin: "service",
    amount,
    request: "",
    transactionId,
    state: status,
    refundId: id,
    requestedAt: createdAt ?? payment.createdAt,
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
  };
}
