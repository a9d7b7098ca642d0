import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Change, PaymentKey } from "../ports/payment-ledger.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { pairKey } from "./pair-key.ts";
import { createPaymentIndex } from "./payment-index.ts";

const PAYABLE: readonly PaymentState[] = ["intent", "open"];
const PAID: readonly PaymentState[] = ["verified", "recorded"];
const MAY_RECEIVE_MONEY: readonly PaymentState[] = ["intent", "open", "superseded", "expired"];

/** The end of the hosted page's address. */
const SESSION_CODE = /\/(cs_\w+)$/;

export type MemoryPayments = ReturnType<typeof createMemoryPayments>;

export function createMemoryPayments() {
  const payments = new Map<string, Payment>();
  const byOrder = createPaymentIndex(payments, ({ ref }) => orderKey(ref));
  const byAttempt = createPaymentIndex(payments, ({ ref, attempt }) =>
    attempt === "" ? null : pairKey(ref.storeId, attempt),
  );
  const bySession = createPaymentIndex(payments, ({ session }) => session?.id ?? null);
  const bySessionCode = createPaymentIndex(
    payments,
    ({ session }) => SESSION_CODE.exec(session?.url ?? "")?.[1] ?? null,
  );

  function breaksUniqueRule(next: Payment): boolean {
    const conflictsWithin = (states: readonly PaymentState[]) => (other: Payment) =>
      other.id !== next.id && states.includes(other.state) && states.includes(next.state);
    const ofOrder = byOrder.at(orderKey(next.ref));
    return (
      ofOrder.some(conflictsWithin(PAYABLE)) ||
      (!next.lostToDispute && ofOrder.filter(({ lostToDispute }) => !lostToDispute).some(conflictsWithin(PAID))) ||
      byAttempt.at(pairKey(next.ref.storeId, next.attempt)).some(conflictsWithin(PAYABLE)) ||
      (next.session !== null && bySession.at(next.session.id).some(({ id }) => id !== next.id))
    );
  }

  function newestWithPrefix(prefix: string): Payment | null {
    const found = [...payments.values()].filter(({ id }) => prefix !== "" && id.startsWith(prefix));
    return found.sort((left, right) => left.createdAt - right.createdAt).at(-1) ?? null;
  }

  return {
    find(by: PaymentKey): Payment | null {
      if ("id" in by) return payments.get(by.id) ?? null;
      if ("idPrefix" in by) return newestWithPrefix(by.idPrefix);
      if ("sessionId" in by) return bySession.at(by.sessionId).at(-1) ?? null;
      if ("sessionCode" in by) return bySessionCode.at(by.sessionCode).at(-1) ?? null;
      // The ledger looks a transaction up first, and then finds its payment by id.
      if ("transactionCode" in by || "transactionId" in by) return null;
      return byAttempt.at(pairKey(by.storeId, by.attempt)).at(-1) ?? null;
    },
    paymentsOfOrder: (ref: OrderRef): readonly Payment[] => byOrder.at(orderKey(ref)),
    open(credentialId: string, limit: number): readonly Payment[] {
      const open = [...payments.values()].filter(
        (payment) => payment.credentialId === credentialId && MAY_RECEIVE_MONEY.includes(payment.state),
      );
      return open
        .reverse()
        .sort((left, right) => right.createdAt - left.createdAt)
        .slice(0, limit);
    },
    /** Why the payment cannot be committed, or null. */
    rejection({ next, expect }: NonNullable<Change["payment"]>): "stale" | "taken" | null {
      if (next.version !== (expect === "new" ? 1 : expect + 1)) {
        throw new RangeError(`The version of payment ${next.id} must be one higher than the expected version.`);
      }
      const known = payments.get(next.id)?.version ?? "new";
      if (known !== expect) return "stale";
      return breaksUniqueRule(next) ? "taken" : null;
    },
    /** In the order of insertion. */
    all: (): Iterable<Payment> => payments.values(),
    remove: (id: string): boolean => payments.delete(id),
    put(next: Payment): void {
      const payment = frozenCopy(next);
      payments.set(payment.id, payment);
      for (const index of [byOrder, byAttempt, bySession, bySessionCode]) index.add(payment);
    },
  };
}

function orderKey({ storeId, orderId }: OrderRef): string {
  return pairKey(storeId, orderId);
}
