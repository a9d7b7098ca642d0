import { addDecimals, toDecimals } from "./decimals.ts";
import { errorResponse, type ShopResponse } from "./messages.ts";
import { paidByOf } from "./paid-by.ts";
import type { PluginContext } from "./plugin-context.ts";
import { refundable } from "./rest-shapes.ts";

type Fields<Name extends string> = Readonly<Record<Name, string>>;
type NoteRequest = Fields<"order" | "key" | "marker" | "text">;
type RecordRefundRequest = Fields<
  "order" | "key" | "payment" | "refund" | "refund_key" | "amount" | "currency" | "reason"
>;

const ORDER_FIELDS = { order: /^[1-9][0-9]{0,18}$/, key: /^[A-Za-z0-9_-]{1,100}$/ };
const NOTE_FIELDS = { ...ORDER_FIELDS, marker: /^\[tillkit (hold|note) [0-9a-f]{12}\]$/, text: /^[^\0]{1,4000}$/ };
const REFUND_FIELDS = {
  ...ORDER_FIELDS,
  payment: /^[A-Za-z0-9-]{1,64}$/,
  refund: /^\P{Cc}{1,191}$/u,
  refund_key: /^\P{Cc}{1,191}$/u,
  amount: /^[0-9]{1,15}(\.[0-9]{1,20})?$/,
  currency: /^[A-Z]{3}$/,
  reason: /^\P{Cc}{1,200}$/u,
};

type Body = Readonly<Record<string, unknown>>;

export function readNoteRequest(body: Body): NoteRequest | null {
  return hasFields(body, NOTE_FIELDS) ? (body as NoteRequest) : null;
}

export function readRecordRefundRequest(body: Body): RecordRefundRequest | null {
  return hasFields(body, REFUND_FIELDS) ? (body as RecordRefundRequest) : null;
}

function hasFields(body: Body, patterns: Readonly<Record<string, RegExp>>): boolean {
  return Object.entries(patterns).every(([name, pattern]) => {
    const value = body[name];
    return typeof value === "string" && pattern.test(value);
  });
}

/** The call `note` of PROTOCOL.md. The caller holds the lock of the order. */
export async function addNote(
  { order: id, key, marker, text }: NoteRequest,
  { shop, processingTime }: PluginContext,
): Promise<ShopResponse> {
  const answer = (outcome: string): ShopResponse => ({ status: 200, body: { outcome, order: id, marker } });
  const order = shop.order(id);
  if (!order || order.key !== key) return answer("gone");
  if (shop.notes(id).some((note) => note.trimEnd().endsWith(marker))) return answer("already");
  await processingTime();
  shop.addNote(id, `${text} ${marker}`);
  return answer("recorded");
}

/** The call `record-refund` of PROTOCOL.md. The caller holds the lock of the order. */
export async function recordRefund(
  request: RecordRefundRequest,
  { shop, processingTime }: PluginContext,
): Promise<ShopResponse> {
  const { order: id, key, payment, refund, amount, currency, reason } = request;
  const answer = (outcome: string): ShopResponse => ({ status: 200, body: { outcome, order: id, refund } });
  const order = shop.order(id);
  if (!order || order.key !== key) return answer("gone");
  const names = [refund, request.refund_key];
  if (shop.refunds(id).some(({ meta }) => names.includes(meta._tillkit_refund_id ?? ""))) return answer("already");
  if (paidByOf(order) !== payment || order.status === "trash") {
    return errorResponse(409, "tillkit_payment_not_shown", "The order no longer shows this payment.");
  }
  await processingTime();
  const isTooLarge = addDecimals(refundable(order, shop), `-${amount}`).startsWith("-");
  if (isTooLarge || order.currency !== currency) return answer("refused");
  shop.addRefund(order.id, {
    amount: toDecimals(amount, shop.decimals),
    reason,
    meta: { _tillkit_refund_id: refund },
  });
  return answer("recorded");
}
