import { type Answer, refusal } from "./answer.ts";
import type { PluginWorld } from "./gateway-plugin.ts";
import { decisionOf, isHeldLate, shownAsPaidBy } from "./paid-by.ts";
import { type Shop, type ShopOrder, shownTotal } from "./shop.ts";

type Wish = {
  readonly order: string;
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment: string;
  readonly transaction: string;
  readonly fence: number;
  readonly already_paid: boolean;
};

const FORMS: Readonly<Record<Exclude<keyof Wish, "fence" | "already_paid">, RegExp>> = {
  order: /^[1-9][0-9]{0,18}$/,
  key: /^[A-Za-z0-9_-]{1,100}$/,
  amount: /^[0-9]{1,15}(\.[0-9]{1,20})?$/,
  currency: /^[A-Z]{3}$/,
  payment: /^[A-Za-z0-9-]{1,64}$/,
  transaction: /^.{1,191}$/,
};

export function readWish(body: Readonly<Record<string, unknown>>): Wish | null {
  const { fence, already_paid: alreadyPaid = false } = body;
  const fits = Object.entries(FORMS).every(([name, form]) => typeof body[name] === "string" && form.test(body[name]));
  if (!fits || typeof fence !== "number" || !Number.isInteger(fence) || fence < 0) return null;
  return typeof alreadyPaid === "boolean" ? ({ ...body, already_paid: alreadyPaid } as Wish) : null;
}

const PAYABLE: readonly string[] = ["pending", "failed", "on-hold", "checkout-draft"];

/** The step `settle` of PROTOCOL.md, to be called under the order's lock. */
export async function settle(wish: Wish, world: PluginWorld): Promise<Answer> {
  const { shop, clock, atWork } = world;
  await atWork();
  const found = shop.order(wish.order);
  if (!found || found.key !== wish.key) return outcome("gone", wish, null);
  const paidBy = shownAsPaidBy(found);
  const accepts = wish.already_paid && (paidBy === "owner" || paidBy === "unclear");
  if (paidBy !== null && !accepts) {
    const order = isHeldLate(found) ? restore(shop, found) : found;
    return outcome(paidBy === wish.payment ? "already" : "other-payment", wish, order);
  }
  const now = Math.floor(clock.now() / 1_000);
  return whyNotWritten(wish, found, accepts, now, shop) ?? (await write(wish, found, accepts, now, world));
}

function whyNotWritten(wish: Wish, found: ShopOrder, accepts: boolean, now: number, shop: Shop): Answer | null {
  const [, fence, at] = /^(\d+) (\d+)$/.exec(found.meta._tillkit_fence ?? "") ?? [];
  if (fence !== undefined && Number(fence) > wish.fence && now - Number(at) < 600) {
    return refusal(409, "tillkit_older_writer", "A newer writer was here.");
  }
  const asks = shownTotal(found, shop) === wish.amount && found.currency === wish.currency;
  if (!asks || !(accepts || PAYABLE.includes(found.status))) return outcome("not-payable", wish, found);
  const tookBack = wish.already_paid && !accepts;
  return tookBack ? refusal(409, "tillkit_not_set_to_paid", "The owner took it back.") : null;
}

async function write(
  wish: Wish,
  found: ShopOrder,
  accepts: boolean,
  now: number,
  { shop, atWork }: PluginWorld,
): Promise<Answer> {
  const { _tillkit_hold, ...kept } = found.meta;
  const meta = { ...kept, _tillkit_payment_id: wish.payment, _tillkit_fence: `${wish.fence} ${now}` };
  const noted = shop.change(found.id, { meta, paymentMethod: "tillkit" });
  await atWork();
  const paid = accepts
    ? shop.change(found.id, { transactionId: wish.transaction, ...(isHeldLate(found) ? decided(found) : {}) })
    : shop.complete(noted, wish.transaction);
  shop.addNote(found.id, `${accepts ? "Accepted" : "Paid"}: ${wish.payment}, ${wish.transaction}.`);
  return outcome("recorded", wish, paid);
}

export type HoldWish = { readonly order: string; readonly key: string };

export function readHold({ order, key }: Readonly<Record<string, unknown>>): HoldWish | null {
  const fits = typeof order === "string" && FORMS.order.test(order) && typeof key === "string" && FORMS.key.test(key);
  return fits ? { order, key } : null;
}

/** The step `hold` of PROTOCOL.md, to be called under the order's lock. */
export async function hold(wish: HoldWish, { shop, clock, atWork }: PluginWorld): Promise<Answer> {
  await atWork();
  const order = shop.order(wish.order);
  const say = (said: string, status: string | null): Answer => ({
    status: 200,
    body: { outcome: said, order: wish.order, status },
  });
  if (!order || order.key !== wish.key) return say("gone", null);
  if (isHeldLate(order)) return say("kept", restore(shop, order).status);
  if (!["pending", "failed", "checkout-draft"].includes(order.status) || shownAsPaidBy(order) !== null) {
    return say("kept", order.status);
  }
  const mark = { _tillkit_hold: String(Math.floor(clock.now() / 1_000)) };
  const meta = { ...order.meta, ...(order.datePaid === null ? mark : {}) };
  return say("held", shop.change(order.id, { status: "on-hold", meta }).status);
}

/** What the owner had set before a hold landed. */
function decided(order: ShopOrder): { readonly status: string } {
  return { status: decisionOf(order)?.status ?? (order.dateCompleted === null ? "processing" : "completed") };
}

function restore(shop: Shop, order: ShopOrder): ShopOrder {
  const { _tillkit_hold, ...meta } = order.meta;
  return shop.change(order.id, { ...decided(order), meta });
}

function outcome(say: string, wish: Wish, found: ShopOrder | null): Answer {
  const { order, payment, fence, already_paid } = wish;
  const body = {
    outcome: say,
    order,
    payment,
    fence,
    already_paid,
    status: found?.status ?? null,
    date_paid: found && found.datePaid !== null ? Math.floor(found.datePaid / 1_000) : null,
    paid_by: found && shownAsPaidBy(found),
  };
  return { status: 200, body };
}
