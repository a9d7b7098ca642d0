import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@tillkit/core";
import { type Answer, type Asked, jsonBody, NO_ROUTE, refusal } from "./answer.ts";
import { type Shop, type ShopOrder, shownTotal } from "./shop.ts";

export type PluginSettings = {
  readonly companionUrl: string;
  readonly storeId: string;
  readonly linkSecret: string;
  readonly previousLinkSecret?: string;
};

export type PluginWorld = {
  readonly shop: Shop;
  readonly settings: PluginSettings;
  /** The shop's own clock, which may be wrong. */
  readonly clock: Clock;
  atWork(): Promise<void>;
};

export type GatewayPlugin = {
  answer(asked: Asked): Promise<Answer>;
  /** `process_payment`: writes the order's meta and answers where the shopper goes. Calls nobody. */
  payLink(orderId: number | string): string;
};

/** The gateway plugin as PROTOCOL.md describes it, written from that page alone. */
export function createGatewayPlugin(world: PluginWorld): GatewayPlugin {
  const locks = new Map<string, Promise<unknown>>();

  async function locked(order: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = locks.get(order) ?? Promise.resolve();
    const turn = before.then(work, work);
    locks.set(
      order,
      turn.catch(() => undefined),
    );
    return await turn;
  }

  return {
    async answer(asked) {
      const purpose = /^tillkit\/v1\/(settle|ping)$/.exec(asked.path)?.[1];
      if (purpose === undefined || asked.method !== "POST") return NO_ROUTE;
      const refused = refuse(asked, purpose, world);
      if (refused) return refused;
      const body = jsonBody(asked);
      if (!body) return BAD_REQUEST;
      if (purpose === "ping") return { status: 200, body: ping(world) };
      const wish = readWish(body);
      return wish ? await locked(wish.order, () => settle(wish, world)) : BAD_REQUEST;
    },
    payLink: (orderId) => payLink(orderId, world),
  };
}

const BAD_REQUEST = refusal(400, "tillkit_bad_request", "The body is not what the protocol says.");

function refuse({ headers, bytes }: Asked, purpose: string, { settings, clock }: PluginWorld): Answer | null {
  const header = (name: string) => String(headers[name] ?? "");
  const [store, time] = [header("x-tillkit-store"), header("x-tillkit-time")];
  const digest = createHash("sha256").update(bytes).digest("hex");
  const canonical = `tillkit v1 call\n${purpose}\n${store}\n${time}\n${digest}`;
  const { linkSecret, previousLinkSecret } = settings;
  const signed = [linkSecret, ...(previousLinkSecret ? [previousLinkSecret] : [])].some((secret) =>
    equal(hmac(canonical, secret), header("x-tillkit-signature")),
  );
  if (!signed || store !== settings.storeId || !/^\d+$/.test(time)) {
    return refusal(401, "tillkit_signature_invalid", "The link secret differs.");
  }
  const now = Math.floor(clock.now() / 1_000);
  if (Math.abs(now - Number(time)) <= 300) return null;
  return refusal(401, "tillkit_clock_differs", "The clocks of shop and companion differ.", { now });
}

type Wish = {
  readonly order: string;
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment: string;
  readonly transaction: string;
  readonly fence: number;
};

const FORMS: Readonly<Record<Exclude<keyof Wish, "fence">, RegExp>> = {
  order: /^[1-9][0-9]{0,18}$/,
  key: /^[A-Za-z0-9_-]{1,100}$/,
  amount: /^[0-9]{1,15}(\.[0-9]{1,20})?$/,
  currency: /^[A-Z]{3}$/,
  payment: /^[A-Za-z0-9-]{1,64}$/,
  transaction: /^.{1,191}$/,
};

function readWish(body: Readonly<Record<string, unknown>>): Wish | null {
  const { fence } = body;
  const fits = Object.entries(FORMS).every(([name, form]) => typeof body[name] === "string" && form.test(body[name]));
  return fits && typeof fence === "number" && Number.isInteger(fence) && fence >= 0 ? (body as Wish) : null;
}

const PAYABLE: readonly string[] = ["pending", "failed", "on-hold", "checkout-draft"];

async function settle(wish: Wish, { shop, clock, atWork }: PluginWorld): Promise<Answer> {
  await atWork();
  const order = shop.order(wish.order);
  if (!order || order.key !== wish.key) return outcome("gone", wish, null);
  const paidBy = proofOf(order);
  if (paidBy !== null) return outcome(paidBy === wish.payment ? "already" : "other-payment", wish, order);
  const now = Math.floor(clock.now() / 1_000);
  const [, fence, at] = /^(\d+) (\d+)$/.exec(order.meta._tillkit_fence ?? "") ?? [];
  if (fence !== undefined && Number(fence) > wish.fence && now - Number(at) < 600) {
    return refusal(409, "tillkit_older_writer", "A newer writer was here.");
  }
  if (!PAYABLE.includes(order.status)) return outcome("not-payable", wish, order);
  if (shownTotal(order, shop) !== wish.amount || order.currency !== wish.currency) {
    return outcome("not-payable", wish, order);
  }
  const meta = { ...order.meta, _tillkit_payment_id: wish.payment, _tillkit_fence: `${wish.fence} ${now}` };
  const noted = shop.edit(order.id, { meta, paymentMethod: "tillkit" });
  await atWork();
  const paid = shop.complete(noted, wish.transaction);
  shop.addNote(order.id, `Paid: ${wish.payment}, ${wish.transaction}.`);
  return outcome("recorded", wish, paid);
}

function proofOf({ datePaid, paymentMethod, meta }: ShopOrder): string | null {
  if (datePaid === null) return null;
  return paymentMethod === "tillkit" && meta._tillkit_payment_id ? meta._tillkit_payment_id : "outside";
}

function outcome(say: string, { order, payment, fence }: Wish, found: ShopOrder | null): Answer {
  const body = {
    outcome: say,
    order,
    payment,
    fence,
    status: found?.status ?? null,
    date_paid: found && found.datePaid !== null ? Math.floor(found.datePaid / 1_000) : null,
    paid_by: found && proofOf(found),
  };
  return { status: 200, body };
}

function ping({ shop, settings, clock }: PluginWorld): Record<string, unknown> {
  return {
    protocol: 1,
    plugin: "0.1.0",
    wordpress: "6.8",
    woocommerce: "10.0.2",
    php: "8.3",
    time: Math.floor(clock.now() / 1_000),
    currency: shop.currency,
    decimals: shop.decimals,
    gateway: true,
    hpos: true,
    permalinks: true,
    companion: settings.companionUrl,
  };
}

function payLink(orderId: number | string, { shop, settings, clock }: PluginWorld): string {
  const order = shop.order(orderId);
  if (!order) throw new Error(`This shop has no order ${orderId}.`);
  const exp = String(Math.floor(clock.now() / 1_000) + 7_200);
  const fields = [settings.storeId, String(order.id), order.key, shownTotal(order, shop), order.currency, exp];
  const query = new URLSearchParams();
  for (const [index, name] of ["store", "order", "key", "amount", "currency", "exp"].entries()) {
    query.set(name, fields[index] ?? "");
  }
  query.set("sig", hmac(["tillkit v1 pay", ...fields].join("\n"), settings.linkSecret));
  return `${settings.companionUrl}/woo/pay?${query}`;
}

function hmac(text: string, secret: string): string {
  return `v1.${createHmac("sha256", secret).update(text).digest("hex")}`;
}

function equal(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
