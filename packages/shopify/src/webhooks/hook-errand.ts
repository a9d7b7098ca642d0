import type { OutboxTask, TaskResult } from "@tillkit/runtime";
import type { Desk } from "../app/desk.ts";
import { shopifyLimits } from "../limits.ts";
import { isAtHome } from "../oauth/at-home.ts";
import { announceOrder } from "../order/announce-order.ts";
import { refundOrder } from "../order/refund-order.ts";
import { credentialId, ENVIRONMENTS } from "../owner/shop-keys.ts";
import type { Topic } from "./topics.ts";

/** What is kept of a webhook: whom it is about, never its body. */
export type HookErrand = {
  readonly topic: Topic;
  /** Milliseconds since 1970. */
  readonly triggeredAt: number;
  /** Numbers, as in Shopify's webhooks. */
  readonly orderIds: readonly string[];
  readonly refundId: string | null;
};

const KEPT_DATA = {
  en: "Kept here: amounts, times and payment numbers; no name, e-mail or phone.",
  fr: "Conservés ici : montants, heures et numéros de paiement ; ni nom, ni e-mail, ni téléphone.",
} as const;

type Work = (desk: Desk, shop: string, errand: HookErrand) => Promise<"done" | { readonly againAt: number }>;

/** What a webhook leads to, long after it was answered. Each may come twice, late, and in any order. */
export async function runHookErrand(
  desk: Desk,
  { storeId, state }: OutboxTask<HookErrand>,
): Promise<TaskResult<HookErrand>> {
  const end = await WORK[state.topic](desk, storeId, state);
  return end === "done" ? { status: "done", state } : { status: "later", state, dueAt: end.againAt };
}

const announce: Work = async (desk, shop, { orderIds }) => {
  if (await isGone(desk, shop)) return "done";
  for (const orderId of orderIds) await announceOrder(desk, shop, orderId);
  return "done";
};

const WORK: Readonly<Record<Topic, Work>> = {
  "app/uninstalled": async (desk, shop, { triggeredAt }) => {
    const known = await desk.shops.find(shop);
    // Installed again since: this is news of an earlier goodbye.
    if (!known || triggeredAt < known.installedAt) return "done";
    await desk.shops.change(shop, { uninstalledAt: triggeredAt, ready: false });
    // The token is dead at once. Payments stay: money may still arrive, or go back.
    await desk.tokens.forget(shop, triggeredAt);
    desk.log.info("shopify.uninstalled", { storeId: shop });
    return "done";
  },
  "customers/data_request": async (desk, shop, { orderIds, triggeredAt }) => {
    const text = KEPT_DATA[await desk.shops.languageOf(shop)];
    for (const orderId of orderIds) {
      await desk.lines.add({ storeId: shop, orderId }, String(triggeredAt), { kind: "request", text });
    }
    return "done";
  },
  "customers/redact": async (desk, shop, { orderIds }) => {
    const { unfinished } = await desk.ledger.eraseOrders(orderIds.map((orderId) => ({ storeId: shop, orderId })));
    return unfinished === 0 ? "done" : { againAt: desk.clock.now() + shopifyLimits.eraseAgainMs };
  },
  "shop/redact": async (desk, shop) => {
    // A shop that lets us in is our customer's, whatever it once did.
    if (await isAtHome(desk, shop)) return "done";
    const { unfinished } = await desk.ledger.eraseStore(shop);
    if (unfinished > 0) return { againAt: desk.clock.now() + shopifyLimits.eraseAgainMs };
    for (const environment of ENVIRONMENTS) await desk.credentials.remove(credentialId(shop, environment));
    desk.log.info("shopify.shop_erased", { storeId: shop });
    return "done";
  },
  "orders/create": announce,
  "orders/updated": announce,
  "orders/cancelled": announce,
  "refunds/create": async (desk, shop, { refundId }) =>
    refundId === null || (await isGone(desk, shop)) ? "done" : await refundOrder(desk, shop, refundId),
};

/** Of a shop that took the app away nothing can be read any more. */
async function isGone({ shops }: Desk, shop: string): Promise<boolean> {
  return (await shops.find(shop))?.uninstalledAt !== null;
}
