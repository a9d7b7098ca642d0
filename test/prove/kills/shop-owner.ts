import { createHash, createHmac, randomInt } from "node:crypto";
import type { FakeWooCommerce } from "@tillkit/fake-woocommerce";
import { PATIENCE_MS } from "../../waiting/patience.ts";
import { type KillFixture, wait } from "./fixture.ts";
import type { ShopActions } from "./shop-actions.ts";

/** The owner of a WordPress shop, with a browser, while any answer may be lost. */
export type Owner = {
  /** Where the shop is now. */
  shop(): FakeWooCommerce;
  /** Every link that the plugin ever got. */
  readonly links: readonly Link[];
  /** Every order of the shop that was paid, with the place where it was placed. */
  readonly paid: readonly PaidOrder[];
  /** Presses Connect and enters what the page asks for, again and again, until the shop is connected as wanted. */
  connect(wanted: Wanted): Promise<void>;
  /** Presses Connect once. Returns whether the shop is connected then. */
  tryToConnect(wanted: Wanted): Promise<boolean>;
  /** Presses Disconnect until the plugin or its server says that the connection is over. */
  disconnect(): Promise<void>;
  /** One shopper orders and pays. */
  sell(): Promise<void>;
  /** The files and the database of the shop, at another address. The owner of the result has the same link, and other orders from now on. */
  copyTo(shop: FakeWooCommerce): Owner;
  /** The shop is served at another address from now on. */
  moveTo(shop: FakeWooCommerce): void;
  /** Whether the server accepts calls of the store under this secret. */
  isServed(link: Link): Promise<boolean>;
};

export type Link = { readonly storeId: string; readonly secret: string };
export type PaidOrder = { readonly shop: FakeWooCommerce; readonly storeId: string; readonly orderId: number };

/** `apiKey`: empty keeps the stored key where the page allows it. `knownKey`: the key with which the shop was connected before. */
export type Wanted = {
  readonly apiKey: string;
  readonly knownKey?: string;
  readonly invitation?: string;
  readonly move?: "moved" | "copy";
};

const RETRY_MS = 10;

export function createOwner(fixture: KillFixture, actions: ShopActions, first: FakeWooCommerce): Owner {
  const { url } = fixture.loadBalancer;
  const links: Link[] = [];
  const paid: PaidOrder[] = [];
  let place = first;

  /** One press of the button: the page, and the form with what the page asks for. Null: an answer was lost. */
  async function press(wanted: Wanted): Promise<Response | null> {
    const code = place.startPairing(url);
    const form = { shop: place.url, code, language: "en", ...proofOf(currentLink(), code) };
    const page = await post(`${url}/bridge/v1/pair`, form);
    if (page === null) return null;
    const answer = await post(`${url}/bridge/v1/pair/confirm`, { ...form, ...enter(await page.text(), wanted) });
    rememberLink();
    return answer;
  }

  function currentLink(): Link | null {
    const settings = place.settings();
    return settings && { storeId: settings.storeId, secret: settings.linkSecret };
  }

  function rememberLink(): void {
    const link = currentLink();
    if (link !== null && !links.some(({ secret }) => secret === link.secret)) links.push(link);
  }

  async function connect(wanted: Wanted): Promise<void> {
    const { knownKey = wanted.apiKey } = wanted;
    let apiKey = wanted.apiKey;
    let lastPage = "";
    for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; ) {
      // The owner waits until the server answers at all.
      await fixture.request("activity", null);
      const answer = await press({ ...wanted, apiKey, knownKey });
      if (answer?.status === 303 && apiKey === wanted.apiKey) return await requireServed();
      // Where one key is refused, the owner tries the other one, and then enters the wanted key again.
      const isRefused = answer?.status === 422 && apiKey === wanted.apiKey;
      apiKey = isRefused ? knownKey : wanted.apiKey;
      lastPage = (await answer?.text()) ?? lastPage;
      await wait(RETRY_MS);
    }
    throw new Error(`The owner cannot go on: ${/role="alert">([^<]+)/.exec(lastPage)?.[1] ?? lastPage}`);
  }

  /** The owner read that the shop is connected, so the plugin must be able to call the server. */
  async function requireServed(): Promise<void> {
    const link = currentLink();
    if (link === null || !(await isServed(link))) throw new Error("The page said connected, and the shop is not.");
  }

  async function isServed(link: Link): Promise<boolean> {
    return (await call("health", link)).status === 200;
  }

  async function call(purpose: string, { storeId, secret }: Link): Promise<Response> {
    for (;;) {
      const body = "{}";
      const time = String(Math.floor(fixture.clock.now() / 1_000));
      const digest = createHash("sha256").update(body).digest("hex");
      const headers = {
        "X-Tillkit-Store": storeId,
        "X-Tillkit-Time": time,
        "X-Tillkit-Signature": sign(["tillkit v1 call", purpose, storeId, time, digest], secret),
      };
      const answer = await send(`${url}/bridge/v1/${purpose}`, { method: "POST", headers, body });
      if (answer !== null && answer.status < 500) return answer;
      await wait(RETRY_MS);
    }
  }

  async function disconnect(): Promise<void> {
    const link = currentLink();
    if (link === null) throw new Error("The shop is not connected.");
    await actions.until("the shop left", async () => {
      const answer = await call("disconnect", link);
      const { state } = (await answer.json()) as { readonly state?: string };
      if (state === "left") place.setPlugin(null);
      // The secret was wiped before the process died, so the server does not know the shop any more.
      return state === "left" || answer.status === 401;
    });
  }

  async function sell(): Promise<void> {
    const { id } = place.shop.placeOrder({ total: "5000" });
    const shop = place;
    const storeId = currentLink()?.storeId ?? "";
    const ref = { storeId, orderId: String(id) };
    await actions.until("the shopper came to the hosted page", async () => {
      const answer = await send(shop.payLink(id), { redirect: "manual" });
      return answer?.status === 303;
    });
    const payments = await fixture.request("paymentsOfOrder", ref);
    const open = payments.find(({ session }) => session !== null);
    if (!open?.session) throw new Error("The shopper came to a hosted page that no payment has.");
    await actions.pay({ paymentId: open.id, sessionId: open.session.id });
    paid.push({ shop, storeId, orderId: id });
    await actions.until("the order was paid", () => shop.shop.effects.some(({ orderId }) => orderId === id));
    await actions.untilState({ paymentId: open.id, sessionId: open.session.id }, "recorded");
  }

  return {
    shop: () => place,
    links,
    paid,
    connect,
    tryToConnect: async (wanted) => (await press(wanted))?.status === 303,
    disconnect,
    sell,
    copyTo(shop) {
      copyShop(place, shop);
      return createOwner(fixture, actions, shop);
    },
    moveTo(shop) {
      copyShop(place, shop);
      place = shop;
    },
    isServed,
  };
}

/** What a person enters: only what the page asks for. */
function enter(page: string, { apiKey, knownKey = apiKey, invitation = "", move }: Wanted): Record<string, string> {
  const isKeyRequired = /id="apiKey"[^>]*required/.test(page);
  return {
    apiKey: apiKey === "" && isKeyRequired ? knownKey : apiKey,
    ...(page.includes('name="invitation"') ? { invitation } : {}),
    ...(page.includes('name="move"') && move !== undefined ? { move } : {}),
  };
}

function proofOf(link: Link | null, code: string): Record<string, string> {
  if (link === null) return {};
  return { store: link.storeId, proof: sign(["tillkit v1 pair", link.storeId, code], link.secret) };
}

/** Written after PROTOCOL.md, as a plugin of another vendor would. */
function sign(lines: readonly string[], secret: string): string {
  return `v1.${createHmac("sha256", secret).update(lines.join("\n")).digest("hex")}`;
}

/** Orders have the same numbers in a copied database. */
function copyShop(from: FakeWooCommerce, to: FakeWooCommerce): void {
  to.setPlugin(from.settings());
  for (const { id: _, stockReduced: __, ...order } of from.shop.orders()) {
    const { id } = to.shop.placeOrder({ total: order.total });
    to.shop.change(id, order);
  }
}

function post(url: string, form: Record<string, string>): Promise<Response | null> {
  // The server limits how often one address may try.
  const address = `203.0.113.${randomInt(256)}`;
  return send(url, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "manual",
    headers: { "X-Forwarded-For": address },
  });
}

/** Null: the process died before it answered. */
async function send(url: string, init: RequestInit): Promise<Response | null> {
  return await fetch(url, init).catch(() => null);
}
