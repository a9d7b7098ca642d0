import type { Language, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { allRecords } from "./all-records.ts";

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
  /** The language in which the owner last saved the settings. */
  readonly language: Language;
  /** Why the owner must open the app again, else null. */
  readonly reconnectReason: string | null;
};

/** The names of the manual payment method of one shop. */
export type GatewayNames = Pick<Shop, "gatewayName" | "formerGateways">;

export const NO_GATEWAY_NAMES: GatewayNames = { gatewayName: null, formerGateways: [] };

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

/** Changes the name of the payment method and remembers the former name. */
export function renameGateway({ gatewayName: former, formerGateways }: Shop, gatewayName: string): GatewayNames {
  if (former === null || former === gatewayName) return { gatewayName, formerGateways };
  const names = [former, ...formerGateways].filter((name) => name !== gatewayName);
  return { gatewayName, formerGateways: names.slice(0, shopifyLimits.formerGateways) };
}

const NEW_SHOP = {
  uninstalledAt: null,
  ready: false,
  paused: false,
  ...NO_GATEWAY_NAMES,
  language: "fr",
  reconnectReason: null,
} as const satisfies Partial<Shop>;

export function createShops(records: Records): Shops {
  async function find(domain: string): Promise<Shop | null> {
    return ((await records.get(domain, KIND, KEY))?.value as Shop | undefined) ?? null;
  }

  async function write<Next extends Shop | null>(domain: string, change: (before: Shop | null) => Next): Promise<Next> {
    for (let attempt = 0; attempt < shopifyLimits.writeAttempts; attempt += 1) {
      const row = await records.get(domain, KIND, KEY);
      const shop = change((row?.value as Shop | undefined) ?? null);
      if (shop === null) return shop;
      if ((await records.put(domain, KIND, KEY, shop, row?.version ?? "new")) === "done") return shop;
    }
    throw new Error(`Too many processes are changing the row of ${domain} at the same time. Try again.`);
  }

  return {
    find,
    install: (domain, scope, now) =>
      write(domain, (before): Shop => {
        const { paused, gatewayName, formerGateways, language } = before ?? NEW_SHOP;
        // The owner of an installed shop opened the app again: Shopify still shows the shop as ready.
        const ready = before !== null && before.uninstalledAt === null && before.ready;
        return { ...NEW_SHOP, domain, installedAt: now, scope, paused, gatewayName, formerGateways, language, ready };
      }),
    languageOf: async (domain) => (await find(domain))?.language ?? "fr",
    update: (domain, change) => write(domain, (before) => before && { ...before, ...change }),
    async *all() {
      for await (const { value } of allRecords(records, { kind: KIND })) yield value as Shop;
    },
  };
}
