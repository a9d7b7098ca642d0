import { type Money, StoreError } from "@tillkit/core";
import { z } from "zod";
import { moneyOf } from "./amounts.ts";
import { type MedusaContainer, type Query, queryOf } from "./medusa-container.ts";

/** One payment collection of Medusa with everything that decides whether and by what it is paid. */
export type Collection = {
  readonly id: string;
  readonly currencyCode: string;
  /** As Medusa holds it; `totalOf` makes money of it. */
  readonly amount: unknown;
  readonly isCanceled: boolean;
  readonly sessions: readonly Session[];
  readonly payments: readonly MedusaPayment[];
  /** Null where it was not made by a cart: the rest of an edited order. */
  readonly cartId: string | null;
  /** The order that the cart became, or that the collection belongs to. */
  readonly orderId: string | null;
  /** What shops and plugins keep beside it. */
  readonly metadata: Readonly<Record<string, unknown>>;
};

export type Session = { readonly id: string; readonly providerId: string; readonly amount: unknown };

/** `data` is what our provider gave, when it is our provider's. */
export type MedusaPayment = {
  readonly id: string;
  readonly providerId: string;
  readonly isCaptured: boolean;
  readonly isCanceled: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** Who captured it, by Medusa's id of the user, and when, in milliseconds since 1970; null where Medusa keeps neither. */
  readonly capture: { readonly by: string; readonly at: number } | null;
};

const captureSchema = z.object({
  created_by: z.string().nullish(),
  created_at: z.union([z.string(), z.date()]).nullish(),
});

const collectionSchema = z.object({
  id: z.string(),
  currency_code: z.string(),
  amount: z.unknown(),
  raw_amount: z.unknown().optional(),
  status: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  payment_sessions: z
    .array(
      z.object({
        id: z.string(),
        provider_id: z.string(),
        amount: z.unknown(),
        raw_amount: z.unknown().optional(),
      }),
    )
    .nullish(),
  payments: z
    .array(
      z.object({
        id: z.string(),
        provider_id: z.string(),
        captured_at: z.unknown().optional(),
        canceled_at: z.unknown().optional(),
        data: z.record(z.string(), z.unknown()).nullish(),
        captures: z.array(captureSchema).nullish(),
      }),
    )
    .nullish(),
});

const FIELDS = [
  "id",
  "currency_code",
  "amount",
  "raw_amount",
  "status",
  "metadata",
  "payment_sessions.id",
  "payment_sessions.provider_id",
  "payment_sessions.amount",
  "payment_sessions.raw_amount",
  "payments.id",
  "payments.provider_id",
  "payments.captured_at",
  "payments.canceled_at",
  "payments.data",
  "payments.captures.created_by",
  "payments.captures.created_at",
];

/**
 * Null: there is no such collection.
 * @throws StoreError `unavailable` when Medusa's database does not answer
 */
export async function readCollection(container: MedusaContainer, id: string): Promise<Collection | null> {
  // An empty filter would match the first row of the table.
  if (id === "") return null;
  const query = queryOf(container);
  const [collections, cartId, ownOrderId] = await Promise.all([
    rows(query, "payment_collection", FIELDS, { id }),
    field(query, "cart_payment_collection", "cart_id", { payment_collection_id: id }),
    field(query, "order_payment_collection", "order_id", { payment_collection_id: id }),
  ]);
  const read = collectionSchema.safeParse(collections[0]);
  if (!read.success || read.data.id !== id) return null;
  const cartOrderId = cartId === null ? null : await field(query, "order_cart", "order_id", { cart_id: cartId });
  return collectionOf(read.data, cartId, cartOrderId ?? ownOrderId);
}

/** The collection of a payment session. Null: there is no such session (any more). */
export async function collectionIdOf(container: MedusaContainer, sessionId: string): Promise<string | null> {
  if (sessionId === "") return null;
  return await field(queryOf(container), "payment_session", "payment_collection_id", { id: sessionId });
}

export function totalOf({ amount, currencyCode }: Collection): Money {
  return moneyOf(amount, currencyCode);
}

/** @throws StoreError `unavailable`: a read that failed has no effect, and may be done again */
export async function rows(
  query: Query,
  entity: string,
  fields: readonly string[],
  filters: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  try {
    return (await query.graph({ entity, fields, filters })).data;
  } catch (cause) {
    throw new StoreError("unavailable", `Medusa could not read its table "${entity}".`, { cause });
  }
}

async function field(
  query: Query,
  entity: string,
  name: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const [row] = await rows(query, entity, [name], filters);
  const read = z.record(z.string(), z.unknown()).safeParse(row);
  const value = read.success ? read.data[name] : null;
  return typeof value === "string" ? value : null;
}

function collectionOf(
  row: z.output<typeof collectionSchema>,
  cartId: string | null,
  orderId: string | null,
): Collection {
  return {
    id: row.id,
    currencyCode: row.currency_code,
    amount: row.raw_amount ?? row.amount,
    isCanceled: row.status === "canceled",
    sessions: (row.payment_sessions ?? []).map((session) => ({
      id: session.id,
      providerId: session.provider_id,
      amount: session.raw_amount ?? session.amount,
    })),
    payments: (row.payments ?? []).map((payment) => ({
      id: payment.id,
      providerId: payment.provider_id,
      isCaptured: isSet(payment.captured_at),
      isCanceled: isSet(payment.canceled_at),
      data: payment.data ?? {},
      capture: captureOf(payment.captures ?? []),
    })),
    cartId,
    orderId,
    metadata: row.metadata ?? {},
  };
}

function captureOf(captures: readonly z.output<typeof captureSchema>[]): MedusaPayment["capture"] {
  const last = captures.at(-1);
  const at = new Date(last?.created_at ?? Number.NaN).getTime();
  return last?.created_by && !Number.isNaN(at) ? { by: last.created_by, at } : null;
}

function isSet(time: unknown): boolean {
  return time !== null && time !== undefined;
}
