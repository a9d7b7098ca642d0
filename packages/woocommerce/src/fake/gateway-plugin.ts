import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@tillkit/core";
import { type Answer, type Asked, jsonBody, NO_ROUTE, refusal } from "./answer.ts";
import { rememberDecision } from "./owner-decision.ts";
import { hold, readHold, readWish, settle } from "./plugin-writes.ts";
import { refuseLateWrite } from "./refuse-late-write.ts";
import { type OwnerWatcher, type Shop, type ShopOrder, shownTotal } from "./shop.ts";

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
  /** A change that arrives by the REST API: one of the companion that comes too late is refused. */
  refuse(now: ShopOrder, change: Readonly<Record<string, unknown>>): Answer | null;
  remember: OwnerWatcher;
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

  async function answerCall(purpose: string, body: Readonly<Record<string, unknown>>): Promise<Answer> {
    if (purpose === "ping") return { status: 200, body: ping(world) };
    const held = purpose === "hold" ? readHold(body) : null;
    if (held) return await locked(held.order, () => hold(held, world));
    const wish = purpose === "settle" ? readWish(body) : null;
    return wish ? await locked(wish.order, () => settle(wish, world)) : BAD_REQUEST;
  }

  return {
    async answer(asked) {
      const purpose = /^tillkit\/v1\/(settle|hold|ping)$/.exec(asked.path)?.[1];
      if (purpose === undefined || asked.method !== "POST") return NO_ROUTE;
      const refused = refuse(asked, purpose, world);
      if (refused) return refused;
      const body = jsonBody(asked);
      return body ? await answerCall(purpose, body) : BAD_REQUEST;
    },
    payLink: (orderId) => payLink(orderId, world),
    refuse: refuseLateWrite,
    remember: (before, after) => rememberDecision(before, after, world.clock.now()),
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
