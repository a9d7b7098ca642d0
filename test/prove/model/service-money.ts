import { CheckoutError, type Clock, type RefundReading } from "@tillkit/core";
import type { TransactionReading } from "@tillkit/core/hosts";
import type { ModelSession } from "./service.ts";
import type { ServiceTraits } from "./service-traits.ts";

/** A completed transaction: of one of our sessions, or of another integration on the same key. */
export type ModelTransaction = {
  readonly id: string;
  /** `txn_…`: the short id. */
  readonly code: string;
  /** Null: a stranger's money. */
  readonly session: ModelSession | null;
  readonly wireAmount: number;
  readonly currency: string;
  readonly account: string | null;
  readonly at: number;
};

export type ModelRefund = {
  readonly id: string;
  readonly transaction: ModelTransaction;
  readonly wireAmount: number;
  /** Null: made in the dashboard. */
  readonly key: string | null;
  readonly request: string;
  /** As the service kept it. */
  readonly reason: string | undefined;
  readonly at: number;
};

/** The amount is null where the service shows none that can be read. */
export type ModelDispute = {
  readonly id: string;
  readonly transaction: ModelTransaction;
  readonly wireAmount: number | null;
  readonly currency: string;
  state: DisputeState;
};

/** `closed`: it ended without an outcome, so the money stays away. */
export type DisputeState = "open" | "won" | "lost" | "closed";

export type DisputedAmount = "whole" | "part" | "more" | "unknown" | "other currency";

const CUT_LENGTH = 8;

/** The money of the service: what its transactions received, and what refunds and disputes took from them. */
export type ModelMoney = ReturnType<typeof createModelMoney>;

export function createModelMoney(clock: Clock, traits: ServiceTraits) {
  const transactions: ModelTransaction[] = [];
  const refunds: ModelRefund[] = [];
  const disputes: ModelDispute[] = [];

  function receive(received: Pick<ModelTransaction, "session" | "wireAmount" | "currency" | "account">) {
    const number = transactions.length + 1;
    const transaction: ModelTransaction = { ...received, id: `tx_${number}`, code: `txn_${number}`, at: clock.now() };
    transactions.push(transaction);
    return transaction;
  }

  function find(name: string): ModelTransaction | null {
    return transactions.find(({ id, code }) => name === id || name === code) ?? null;
  }

  function refundedAmountOf(transaction: ModelTransaction): number {
    return sumOf(refunds.filter((refund) => refund.transaction === transaction));
  }

  function disputedAmountOf(transaction: ModelTransaction): number {
    return disputes
      .filter((dispute) => dispute.transaction === transaction && dispute.state !== "won")
      .map(({ wireAmount, currency }) =>
        wireAmount === null || currency !== transaction.currency ? transaction.wireAmount : wireAmount,
      )
      .reduce((sum, amount) => sum + amount, 0);
  }

  function leftOf(transaction: ModelTransaction): number {
    const disputed = traits.refundsDisputed ? 0 : disputedAmountOf(transaction);
    return transaction.wireAmount - refundedAmountOf(transaction) - disputed;
  }

  function refund(request: string, key: string): ModelRefund {
    const known = refunds.find((refund) => refund.key === key);
    if (known && known.request !== request) throw new CheckoutError("refund_refused", "idempotency_key_reused");
    if (known) return known;
    const body = JSON.parse(request) as { amount: number; transaction_id: string; reason?: string };
    const transaction = find(body.transaction_id);
    if (!transaction || body.amount < 1 || body.amount > leftOf(transaction)) {
      throw new CheckoutError("refund_refused", "amount_invalid");
    }
    return addRefund({ transaction, wireAmount: body.amount, key, request, reason: kept(body.reason, traits.reason) });
  }

  function addRefund(made: Omit<ModelRefund, "id" | "at">): ModelRefund {
    const added = { ...made, id: `re_${refunds.length + 1}`, at: clock.now() };
    refunds.push(added);
    return added;
  }

  function refundInDashboard(transaction: ModelTransaction, all: boolean): ModelRefund | null {
    const left = leftOf(transaction);
    if (left <= 0) return null;
    const wireAmount = all ? left : Math.ceil(left / 2);
    return addRefund({ transaction, wireAmount, key: null, request: "", reason: undefined });
  }

  function dispute(transaction: ModelTransaction, amount: DisputedAmount): ModelDispute {
    const id = `dp_${disputes.length + 1}`;
    const currency = amount === "other currency" ? "EUR" : transaction.currency;
    const opened: ModelDispute = { id, transaction, ...disputedMoney(transaction, amount), currency, state: "open" };
    disputes.push(opened);
    return opened;
  }

  function refundReading({ id, transaction, wireAmount, reason, at }: ModelRefund): RefundReading {
    return { id, status: "completed", wireAmount, reason, createdAt: at, transactionId: nameOf(transaction) };
  }

  function transactionReading(transaction: ModelTransaction): TransactionReading {
    const { id, code, session, wireAmount, currency, at } = transaction;
    const isTied = session !== null && traits.reads !== "nothing";
    const { reference, signedOrder } = session ?? {};
    return {
      id,
      ...(traits.reads === "codes" ? { code } : {}),
      ...(isTied ? { sessionId: session.id, reference, signedOrder } : {}),
      wireAmount,
      currency,
      status: "completed",
      refundedAmount: refundedAmountOf(transaction),
      createdAt: Math.min(at, session?.expiresAt ?? at),
    };
  }

  /** How events and rows name the transaction. */
  function nameOf({ id, code }: ModelTransaction): string {
    return traits.reads === "codes" ? code : id;
  }

  return {
    transactions,
    refunds,
    disputes,
    receive,
    find,
    refund,
    refundInDashboard,
    dispute,
    refundReading,
    transactionReading,
    nameOf,
  };
}

function disputedMoney({ wireAmount }: ModelTransaction, amount: DisputedAmount): Pick<ModelDispute, "wireAmount"> {
  if (amount === "part") return { wireAmount: Math.ceil(wireAmount / 2) };
  if (amount === "more") return { wireAmount: wireAmount + 500 };
  return { wireAmount: amount === "unknown" ? null : wireAmount };
}

function kept(reason: string | undefined, trait: ServiceTraits["reason"]): string | undefined {
  if (reason === undefined || trait === "kept") return reason;
  if (trait === "dropped") return undefined;
  return trait === "changed" ? "Other" : reason.slice(0, CUT_LENGTH);
}

function sumOf(refunds: readonly ModelRefund[]): number {
  return refunds.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
}
