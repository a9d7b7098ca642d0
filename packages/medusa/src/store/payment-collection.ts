import type { Money } from "@tillkit/core";
import { toMoney } from "./amounts.ts";
import { COLLECTION_FIELDS, type CollectionRow, collectionRowSchema } from "./collection-row.ts";
import { type MedusaContainer, queryOf } from "./medusa-container.ts";
import { readField, readRows } from "./read-rows.ts";

/** A payment collection of Medusa with everything that shows whether it is paid, and by which payment. */
export type PaymentCollection = {
  readonly id: string;
  readonly currencyCode: string;
  /** As Medusa stores it; `totalOf` converts it to money. */
  readonly amount: unknown;
  readonly isCanceled: boolean;
  readonly sessions: readonly MedusaSession[];
  readonly payments: readonly MedusaPayment[];
  /** Null for the outstanding amount of an edited order: no cart created that collection. */
  readonly cartId: string | null;
  /** The order that the cart became, or the edited order. */
  readonly orderId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type MedusaSession = { readonly id: string; readonly providerId: string; readonly amount: unknown };

/** `data` is the `PaymentData` of our provider, or whatever another provider stored. */
export type MedusaPayment = {
  readonly id: string;
  readonly providerId: string;
  readonly isCaptured: boolean;
  readonly isCanceled: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** `by`: Medusa's id of the user who captured it. `at`: milliseconds since 1970. Null when Medusa stores neither. */
  readonly capture: { readonly by: string; readonly at: number } | null;
  /**
   * Amounts as Medusa stores them; `amountCaptured` and `amountLeft` convert them to money. `note`: empty where there is none. `by`: Medusa's id
   * of the user who asked for the refund, null where code did.
   */
  readonly captured: readonly unknown[];
  readonly refunds: readonly MedusaRefund[];
};

type MedusaRefund = {
  readonly id: string;
  readonly note: string;
  readonly by: string | null;
  readonly amount: unknown;
};

/**
 * Null when there is no such collection.
 * @throws StoreError `unavailable` when Medusa's database does not answer
 */
export async function readCollection(container: MedusaContainer, id: string): Promise<PaymentCollection | null> {
  // Medusa ignores a filter by an empty id, and would return the first collection of its table.
  if (id === "") return null;
  const query = queryOf(container);
  const [collections, cartId, ownOrderId] = await Promise.all([
    readRows(query, "payment_collection", COLLECTION_FIELDS, { id }),
    readField(query, "cart_payment_collection", "cart_id", { payment_collection_id: id }),
    readField(query, "order_payment_collection", "order_id", { payment_collection_id: id }),
  ]);
  const parsed = collectionRowSchema.safeParse(collections[0]);
  if (!parsed.success || parsed.data.id !== id) return null;
  const cartOrderId = cartId === null ? null : await readField(query, "order_cart", "order_id", { cart_id: cartId });
  return toPaymentCollection(parsed.data, cartId, cartOrderId ?? ownOrderId);
}

/** The collection of a payment session. Null when Medusa has no such session, or deleted it. */
export async function findCollectionId(container: MedusaContainer, sessionId: string): Promise<string | null> {
  if (sessionId === "") return null;
  return await readField(queryOf(container), "payment_session", "payment_collection_id", { id: sessionId });
}

export function totalOf({ amount, currencyCode }: PaymentCollection): Money {
  return toMoney(amount, currencyCode);
}

export function amountCaptured({ captured }: MedusaPayment, currencyCode: string): Money {
  return sumOf(captured, currencyCode);
}

/** What Medusa holds of a payment: the captured amount without the refunded one, never less than zero. */
export function amountLeft({ captured, refunds }: MedusaPayment, currencyCode: string): Money {
  const refunded = refunds.map(({ amount }) => amount);
  const { minor, currency } = sumOf(captured, currencyCode);
  return { minor: Math.max(0, minor - sumOf(refunded, currencyCode).minor), currency };
}

function sumOf(amounts: readonly unknown[], currencyCode: string): Money {
  const { currency } = toMoney(0, currencyCode);
  return { minor: amounts.reduce<number>((sum, amount) => sum + toMoney(amount, currencyCode).minor, 0), currency };
}

function toPaymentCollection(row: CollectionRow, cartId: string | null, orderId: string | null): PaymentCollection {
  return {
    id: row.id,
    currencyCode: row.currency_code,
    amount: amountOf(row),
    isCanceled: row.status === "canceled",
    sessions: (row.payment_sessions ?? []).map((session) => ({
      id: session.id,
      providerId: session.provider_id,
      amount: amountOf(session),
    })),
    payments: (row.payments ?? []).map((payment) => ({
      id: payment.id,
      providerId: payment.provider_id,
      isCaptured: isSet(payment.captured_at),
      isCanceled: isSet(payment.canceled_at),
      data: payment.data ?? {},
      capture: lastCapture(payment),
      captured: (payment.captures ?? []).map(amountOf),
      refunds: (payment.refunds ?? []).map(toMedusaRefund),
    })),
    cartId,
    orderId,
    metadata: row.metadata ?? {},
  };
}

type PaymentRow = NonNullable<CollectionRow["payments"]>[number];

function toMedusaRefund(row: NonNullable<PaymentRow["refunds"]>[number]): MedusaRefund {
  return { id: row.id, note: row.note ?? "", by: row.created_by ?? null, amount: amountOf(row) };
}

function lastCapture({ captures }: PaymentRow): MedusaPayment["capture"] {
  const last = captures?.at(-1);
  const at = new Date(last?.created_at ?? Number.NaN).getTime();
  return last?.created_by && !Number.isNaN(at) ? { by: last.created_by, at } : null;
}

function amountOf({ amount, raw_amount: raw }: { readonly amount?: unknown; readonly raw_amount?: unknown }): unknown {
  return raw ?? amount;
}

function isSet(time: unknown): boolean {
  return time !== null && time !== undefined;
}
