import type { Language, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";
import { everyRow } from "./every-row.ts";

const KIND = "shopify-shop";
const KEY = "shop";

/** A shop that installed the app, now or once. Times in milliseconds since 1970. */
export type Shop = {
  readonly domain: string;
  /** The last time: news of an uninstall before it are about an earlier goodbye. */
  readonly installedAt: number;
  /** Null while it is installed. What is under way is finished even after that. */
  readonly uninstalledAt: number | null;
  readonly scope: string;
  /** Shopify shows our way of paying to its shoppers, as far as we told it. */
  readonly ready: boolean;
  /** Its owner stopped it. */
  readonly paused: boolean;
  /** The manual payment method whose orders we take (order mode). */
  readonly gatewayName: string | null;
  /** What it was called before: what was paid under these names stays ours. */
  readonly formerGateways: readonly string[];
  /** The owner's, as far as we know it. */
  readonly language: Language;
  /** Why the owner has to install the app again; null while all is well. */
  readonly trouble: string | null;
};

/** Names of the manual payment method of one shop. */
export type Gateways = Pick<Shop, "gatewayName" | "formerGateways">;

export const NO_GATEWAYS: Gateways = { gatewayName: null, formerGateways: [] };

export type Shops = {
  find(domain: string): Promise<Shop | null>;
  /** Installed for the first time, or again. */
  install(domain: string, scope: string, now: number): Promise<Shop>;
  /** In which language the owner of a shop is told something. */
  languageOf(domain: string): Promise<Language>;
  change(domain: string, change: Partial<Omit<Shop, "domain">>): Promise<Shop | null>;
  /** All shops that are known, installed or not. */
  all(): AsyncIterable<Shop>;
};

/** With another name of its payment method; the old one is remembered. */
export function renameGateway({ gatewayName: old, formerGateways }: Shop, gatewayName: string): Gateways {
  if (old === null || old === gatewayName) return { gatewayName, formerGateways };
  const former = [old, ...formerGateways].filter((name) => name !== gatewayName);
  return { gatewayName, formerGateways: former.slice(0, shopifyLimits.formerGateways) };
}

export function createShops(records: Records): Shops {
  async function find(domain: string): Promise<Shop | null> {
    return ((await records.get(domain, KIND, KEY))?.value as Shop | undefined) ?? null;
  }

  async function write(domain: string, next: (before: Shop | null) => Shop | null): Promise<Shop | null> {
    for (let round = 0; round < shopifyLimits.writeRounds; round += 1) {
      const row = await records.get(domain, KIND, KEY);
      const shop = next((row?.value as Shop | undefined) ?? null);
      if (shop === null) return null;
      if ((await records.put(domain, KIND, KEY, shop, row?.version ?? "new")) === "done") return shop;
    }
    throw new Error(`The row of ${domain} is being changed by too many at once: try again.`);
  }

  return {
    find,
    async install(domain, scope, now) {
      const fresh = {
        domain,
        installedAt: now,
        uninstalledAt: null,
        scope,
        ready: false,
        paused: false,
        gatewayName: null,
        formerGateways: [],
        language: "fr" as Language,
        trouble: null,
      };
      const shop = await write(domain, (before) => ({
        ...fresh,
        paused: before?.paused ?? false,
        gatewayName: before?.gatewayName ?? null,
        formerGateways: before?.formerGateways ?? [],
        language: before?.language ?? "fr",
        // Only its owner opened it again: Shopify still knows it as ready.
        ready: before !== null && before.uninstalledAt === null && before.ready,
      }));
      return shop ?? fresh;
    },
    languageOf: async (domain) => (await find(domain))?.language ?? "fr",
    change: (domain, change) => write(domain, (before) => before && { ...before, ...change }),
    async *all() {
      for await (const { value } of everyRow(records, { kind: KIND })) yield value as Shop;
    },
  };
}
