import type { Language, StoreAdapter } from "@tillkit/core";
import { allRecords } from "@tillkit/core/hosts";
import type { Records } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";

const KIND = "shopify-shop";
const KEY = "shop";

/** A shop that has, or once had, the app installed. Times in milliseconds since 1970. */
export type Shop = {
  readonly domain: string;
  /** The latest installation. An uninstall webhook that was triggered before it is ignored. */
  readonly installedAt: number;
  /** Null while the app is installed. Work in progress is finished after an uninstall too. */
  readonly uninstalledAt: number | null;
  readonly scope: string;
  /** The readiness that we last reported to Shopify. Shopify offers our payment method only in shops that are ready. */
  readonly ready: boolean;
  /** The owner accepts no payments for now. */
  readonly paused: boolean;
  /** Order mode: the manual payment method whose orders we take. */
  readonly gatewayName: string | null;
  /** Former names of that method. Orders that were paid under them remain ours. */
  readonly formerGateways: readonly string[];
  /** Order mode: the manual payment method whose orders are tests, which are paid with the test key. Null: there is none. */
  readonly testGatewayName: string | null;
  readonly formerTestGateways: readonly string[];
  /** Order mode: Shopify reports a development store, which cannot sell. All its orders are tests. */
  readonly isDevelopment: boolean;
  /** Order mode: the name and the front page of the shop, as Shopify last reported them; null while it has not. */
  readonly name: string | null;
  readonly homeUrl: string | null;
  /** What the owner entered for the pages that shoppers see: the address of a logo, and a colour such as `#0b6b4f`; null: none. */
  readonly logoUrl: string | null;
  readonly color: string | null;
  /** The language in which the owner last saved the settings. */
  readonly language: Language;
  /** Why the owner must open the app again, else null. */
  readonly reconnectReason: string | null;
  /** The operation that Shopify last denied to the app, although its token is valid; else null. */
  readonly deniedOperation: string | null;
};

/** What shoppers know of a shop. */
export type ShopProfile = Pick<Shop, "name" | "homeUrl" | "logoUrl" | "color">;

export function hasSameProfile(one: ShopProfile, other: ShopProfile): boolean {
  const textOf = ({ name, homeUrl, logoUrl, color }: ShopProfile) => JSON.stringify([name, homeUrl, logoUrl, color]);
  return textOf(one) === textOf(other);
}

/** The look of the pages for shoppers. `homeUrl`: the front page, where Shopify has not reported one. */
export function brandingOf(profile: ShopProfile, homeUrl: string): NonNullable<StoreAdapter["branding"]> {
  const { logoUrl, color } = profile;
  return {
    homeUrl: profile.homeUrl ?? homeUrl,
    ...(logoUrl === null ? {} : { logoUrl }),
    ...(color === null ? {} : { color }),
  };
}

/** The names of the manual payment methods of one shop: the method that sells, and the method for tests. */
export type GatewayNames = Pick<Shop, "gatewayName" | "formerGateways" | "testGatewayName" | "formerTestGateways">;

/** The settings of a shop that decide which orders are ours, and which of them are tests. */
export type OrderSettings = GatewayNames & Pick<Shop, "isDevelopment">;

export const NO_ORDER_SETTINGS: OrderSettings = {
  gatewayName: null,
  formerGateways: [],
  testGatewayName: null,
  formerTestGateways: [],
  isDevelopment: false,
};

export type Shops = {
  find(domain: string): Promise<Shop | null>;
  /** Records a first or repeated installation. */
  install(domain: string, scope: string, now: number): Promise<Shop>;
  /** The language of the owner of a shop; French for an unknown shop. */
  languageOf(domain: string): Promise<Language>;
  update(domain: string, change: Partial<Omit<Shop, "domain">>): Promise<Shop | null>;
  /** All known shops, installed or not. */
  all(): AsyncIterable<Shop>;
};

/** Changes the names of the two payment methods and remembers the former names. Null: there is no test method. */
export function renameGateways(shop: Shop, gatewayName: string, testGatewayName: string | null): GatewayNames {
  return {
    gatewayName,
    formerGateways: withFormerName(shop.formerGateways, { from: shop.gatewayName, to: gatewayName }),
    testGatewayName,
    formerTestGateways: withFormerName(shop.formerTestGateways, { from: shop.testGatewayName, to: testGatewayName }),
  };
}

/** The former names of a payment method after it was renamed, the latest first. */
function withFormerName(
  formerNames: readonly string[],
  { from, to }: { readonly from: string | null; readonly to: string | null },
): readonly string[] {
  if (from === null || from === to) return formerNames;
  return [from, ...formerNames].filter((name) => name !== to).slice(0, shopifyLimits.formerGateways);
}

const NEW_SHOP = {
  uninstalledAt: null,
  ready: false,
  paused: false,
  ...NO_ORDER_SETTINGS,
  name: null,
  homeUrl: null,
  logoUrl: null,
  color: null,
  language: "fr",
  reconnectReason: null,
  deniedOperation: null,
} as const satisfies Partial<Shop>;

export function createShops(records: Records): Shops {
  async function find(domain: string): Promise<Shop | null> {
    return toShop((await records.get(domain, KIND, KEY))?.value);
  }

  async function write<Next extends Shop | null>(domain: string, change: (before: Shop | null) => Next): Promise<Next> {
    for (let attempt = 0; attempt < shopifyLimits.writeAttempts; attempt += 1) {
      const row = await records.get(domain, KIND, KEY);
      const shop = change(toShop(row?.value));
      if (shop === null) return shop;
      if ((await records.put(domain, KIND, KEY, shop, row?.version ?? "new")) === "done") return shop;
    }
    throw new Error(`Too many processes are changing the row of ${domain} at the same time. Try again.`);
  }

  return {
    find,
    install: (domain, scope, now) =>
      write(domain, (before): Shop => {
        // The owner of an installed shop opened the app again: Shopify still shows the shop as ready.
        const ready = before !== null && before.uninstalledAt === null && before.ready;
        const access = { uninstalledAt: null, reconnectReason: null, deniedOperation: null };
        return { ...NEW_SHOP, ...before, ...access, domain, installedAt: now, scope, ready };
      }),
    languageOf: async (domain) => (await find(domain))?.language ?? "fr",
    update: (domain, change) => write(domain, (before) => before && { ...before, ...change }),
    async *all() {
      for await (const { value } of allRecords(records, { kind: KIND })) yield { ...NEW_SHOP, ...(value as Shop) };
    },
  };
}

/** Rows that an earlier version wrote lack the fields that were added since. */
function toShop(value: unknown): Shop | null {
  return value ? { ...NEW_SHOP, ...(value as Shop) } : null;
}
