import type { Payment } from "../domain/payment.ts";
import type { PaymentFilter } from "../ports/ledger-view.ts";
import type { MemoryTransactionDetails } from "./transaction-details.ts";

export function matchesFilter(payment: Payment, filter: PaymentFilter, details: MemoryTransactionDetails): boolean {
  const { ref, orderNumber, state, createdAt, environment, amountDue } = payment;
  const { from, until, minAmount, maxAmount, states } = filter;
  const { method, customerId } = details.of(payment.id);
  const exactFilters: readonly (readonly [unknown, unknown])[] = [
    [filter.storeId, ref.storeId],
    [filter.orderId, ref.orderId],
    [filter.customerId, customerId],
    [filter.environment, environment],
    [filter.method, method],
    [filter.currency, amountDue.currency],
  ];
  // `until` is excluded, and times are whole milliseconds.
  const latest = until === undefined ? undefined : until - 1;
  return (
    exactFilters.every(([wanted, found]) => wanted === undefined || wanted === found) &&
    (filter.orderNumber === undefined || [ref.orderId, orderNumber].includes(filter.orderNumber)) &&
    (states === undefined || states.includes(state)) &&
    isBetween(createdAt, from, latest) &&
    isBetween(amountDue.minor, minAmount, maxAmount)
  );
}

function isBetween(value: number, least: number | undefined, most: number | undefined): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}
