import { providerName } from "@tillkit/core";
import { addDecimals } from "./decimals.ts";
import { errorResponse, type ShopResponse } from "./messages.ts";
import { isStaleHold, PAYABLE_STATUSES, paidByOf, readOwnerDecision } from "./paid-by.ts";
import type { PluginContext } from "./plugin-context.ts";
import { exactTotal, type Shop, type ShopOrder } from "./shop.ts";

type MarkPaidRequest = {
  readonly order: string;
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment: string;
  readonly transaction: string;
  readonly fence: number;
  readonly already_paid: boolean;
  readonly provider?: unknown;
};

/** The valid texts of the request's fields. */
const PATTERNS: Readonly<Record<Exclude<keyof MarkPaidRequest, "fence" | "already_paid" | "provider">, RegExp>> = {
  order: /^[1-9][0-9]{0,18}$/,
  key: /^[A-Za-z0-9_-]{1,100}$/,
  amount: /^[0-9]{1,15}(\.[0-9]{1,20})?$/,
  currency: /^[A-Z]{3}$/,
  payment: /^[A-Za-z0-9-]{1,64}$/,
  transaction: /^.{1,191}$/,
};

export function readMarkPaidRequest(body: Readonly<Record<string, unknown>>): MarkPaidRequest | null {
  const { fence, already_paid: alreadyPaid = false, returned = [] } = body;
  const areTextsValid = Object.entries(PATTERNS).every(
    ([name, pattern]) => typeof body[name] === "string" && pattern.test(body[name]),
  );
  const isFenceValid = typeof fence === "number" && Number.isInteger(fence) && fence >= 0;
  const isPayment = (id: unknown) => typeof id === "string" && PATTERNS.payment.test(id);
  const areReturnedValid = Array.isArray(returned) && returned.every(isPayment);
  if (!areTextsValid || !isFenceValid || !areReturnedValid || typeof alreadyPaid !== "boolean") return null;
  return { ...body, already_paid: alreadyPaid } as MarkPaidRequest;
}

/** How long after a write older writers are refused. */
const FENCE_SECONDS = 600;

/** The call `mark-paid` of PROTOCOL.md. The caller holds the lock of the order. */
export async function markPaid(request: MarkPaidRequest, context: PluginContext): Promise<ShopResponse> {
  const { shop, clock, processingTime } = context;
  await processingTime();
  const found = shop.order(request.order);
  if (!found || found.key !== request.key) return markPaidOutcome("gone", request, null);
  const paidBy = paidByOf(found);
  const isAccepted = request.already_paid && (paidBy === "owner" || paidBy === "unclear");
  if (paidBy !== null && !isAccepted) {
    const order = isStaleHold(found) ? restoreOwnerStatus(shop, found) : found;
    return markPaidOutcome(paidBy === request.payment ? "already" : "other-payment", request, order);
  }
  const now = Math.floor(clock.now() / 1_000);
  const write = { request, found, isAccepted, now };
  return refusalOf(write, shop) ?? (await writePayment(write, context));
}

/** A payment to write. `isAccepted`: the owner had set the order to paid, and names no payment yet. `now` in seconds since 1970. */
type PaymentWrite = {
  readonly request: MarkPaidRequest;
  readonly found: ShopOrder;
  readonly isAccepted: boolean;
  readonly now: number;
};

function refusalOf({ request, found, isAccepted, now }: PaymentWrite, shop: Shop): ShopResponse | null {
  // The meta of the last write: its fence, its time in seconds since 1970, and its order.
  const [, fence, writtenAt, order] = /^(\d+) (\d+) (\d+)$/.exec(found.meta._tillkit_fence ?? "") ?? [];
  const isNewer = Number(fence) > request.fence && now - Number(writtenAt) < FENCE_SECONDS;
  if (order === String(found.id) && isNewer) {
    return errorResponse(409, "tillkit_older_writer", "A newer writer has written this order.");
  }
  const isExactTotal = isSameAmount(exactTotal(found, shop), request.amount) && found.currency === request.currency;
  const isPayable = isAccepted || PAYABLE_STATUSES.includes(found.status);
  if (!isExactTotal || !isPayable) return markPaidOutcome("not-payable", request, found);
  const isNoLongerPaid = request.already_paid && !isAccepted;
  return isNoLongerPaid ? errorResponse(409, "tillkit_not_set_to_paid", "The order is no longer set to paid.") : null;
}

async function writePayment(
  { request, found, isAccepted, now }: PaymentWrite,
  { shop, processingTime }: PluginContext,
): Promise<ShopResponse> {
  const { _tillkit_hold, ...otherMeta } = found.meta;
  const meta = {
    ...otherMeta,
    _tillkit_payment_id: request.payment,
    _tillkit_payment_order: String(found.id),
    _tillkit_fence: `${request.fence} ${now} ${found.id}`,
  };
  // The meta is saved first, and another request may run before the order is completed.
  const title =
    typeof request.provider === "string" ? { paymentMethodTitle: providerName(request.provider, "en") } : {};
  const prepared = shop.change(found.id, { meta, paymentMethod: "tillkit", ...title });
  await processingTime();
  const restoredStatus = isStaleHold(found) ? ownerStatus(found) : {};
  const paid = isAccepted
    ? shop.change(found.id, { transactionId: request.transaction, ...restoredStatus })
    : shop.complete(prepared, request.transaction);
  shop.addNote(found.id, `${isAccepted ? "Accepted" : "Paid"}: ${request.payment}, ${request.transaction}.`);
  return markPaidOutcome("recorded", request, paid);
}

export type HoldRequest = { readonly order: string; readonly key: string };

export function readHoldRequest({ order, key }: Readonly<Record<string, unknown>>): HoldRequest | null {
  const isValid =
    typeof order === "string" && PATTERNS.order.test(order) && typeof key === "string" && PATTERNS.key.test(key);
  return isValid ? { order, key } : null;
}

/** The call `hold` of PROTOCOL.md. The caller holds the lock of the order. */
export async function hold(
  request: HoldRequest,
  { shop, clock, processingTime }: PluginContext,
): Promise<ShopResponse> {
  await processingTime();
  const order = shop.order(request.order);
  const holdOutcome = (outcome: string, status: string | null): ShopResponse => ({
    status: 200,
    body: { outcome, order: request.order, status },
  });
  if (!order || order.key !== request.key) return holdOutcome("gone", null);
  if (isStaleHold(order)) return holdOutcome("unchanged", restoreOwnerStatus(shop, order).status);
  if (order.status === "on-hold" || !PAYABLE_STATUSES.includes(order.status) || paidByOf(order) !== null) {
    return holdOutcome("unchanged", order.status);
  }
  const holdMeta = { _tillkit_hold: String(Math.floor(clock.now() / 1_000)) };
  const meta = { ...order.meta, ...(order.datePaid === null ? holdMeta : {}) };
  return holdOutcome("held", shop.change(order.id, { status: "on-hold", meta }).status);
}

/** The call `decision` of PROTOCOL.md: shows the owner why money of the order waits for a decision. */
export function showDecision(body: Readonly<Record<string, unknown>>, { shop }: PluginContext): ShopResponse {
  const { order: id, key, reasons } = body;
  const order = typeof id === "string" && PATTERNS.order.test(id) ? shop.order(id) : null;
  if (!Array.isArray(reasons)) return errorResponse(400, "tillkit_bad_request", "The body has no reasons.");
  if (!order || order.key !== key) return { status: 200, body: { outcome: "gone", order: id } };
  shop.change(order.id, { meta: { ...order.meta, _tillkit_decision: reasons.join(" ") } });
  return { status: 200, body: { outcome: "shown", order: id } };
}

/** The status that the owner had set before the stale hold. */
function ownerStatus(order: ShopOrder): { readonly status: string } {
  return { status: readOwnerDecision(order)?.status ?? (order.dateCompleted === null ? "processing" : "completed") };
}

function restoreOwnerStatus(shop: Shop, order: ShopOrder): ShopOrder {
  const { _tillkit_hold, ...meta } = order.meta;
  return shop.change(order.id, { ...ownerStatus(order), meta });
}

function markPaidOutcome(outcome: string, request: MarkPaidRequest, found: ShopOrder | null): ShopResponse {
  const { order, payment, fence, already_paid } = request;
  const body = {
    outcome,
    order,
    payment,
    fence,
    already_paid,
    status: found?.status ?? null,
    date_paid: found && found.datePaid !== null ? Math.floor(found.datePaid / 1_000) : null,
    paid_by: found && paidByOf(found),
  };
  return { status: 200, body };
}

/** `12.5` and `12.50` are the same amount. */
function isSameAmount(one: string, other: string): boolean {
  return addDecimals(one, `-${other}`).replace(/^-|[.0]/g, "") === "";
}
