import { createNodeFetch, isPageOf } from "@tillkit/client";
import type { Environment } from "@tillkit/core";
import { z } from "zod";
import { serverLimits } from "../server-limits.ts";
import type { PluginPlace } from "../transport/plugin-routes.ts";
import { errorCodeOf, readJson } from "../transport/read-json.ts";

export type ExchangeInput = {
  readonly place: PluginPlace;
  /** The address of the shop: the code is sent to no other address, and no redirect is followed. */
  readonly shopUrl: string;
  readonly code: string;
  readonly storeId: string;
  readonly publicUrl: string;
  /** What the plugin tells shoppers about its payments from now on. Default: what it told before. */
  readonly environment?: Environment | undefined;
  /** Whether private addresses are refused, because a stranger named the address. */
  readonly publicOnly?: boolean;
  /** Whether this server has pages for owners: the plugin then shows the way there. */
  readonly hasOwnerPages?: boolean;
};

/** What the plugin tells about its shop; null for a version that does not. */
export type ShopFacts = {
  readonly name: string | null;
  readonly currency: string | null;
  /** The version of the plugin. */
  readonly version: string | null;
};

/** `refused`: the code was used, has expired, or is for another checkout server. `unreachable`: nothing was changed, as far as we know. */
export type Exchange =
  | {
      readonly status: "paired";
      readonly linkSecret: string;
      readonly settingsUrl: string;
      readonly facts: ShopFacts;
    }
  | { readonly status: "refused" | "unreachable" };

const answerSchema = z.object({
  store: z.string(),
  link_secret: z.string().min(32).max(200),
  settings_url: z.string().max(2_000),
  name: z.string().trim().min(1).max(200).nullable().catch(null),
  currency: z.string().max(10).nullable().catch(null),
  version: z
    .string()
    .regex(/^[\w.-]{1,30}$/)
    .nullable()
    .catch(null),
});

/** Exchanges the one-time code of the owner for a link secret, at the plugin of the shop itself. */
export async function exchangeCode({
  place,
  shopUrl,
  code,
  storeId,
  publicUrl,
  environment,
  publicOnly = false,
  hasOwnerPages = false,
}: ExchangeInput): Promise<Exchange> {
  try {
    const response = await createNodeFetch({ publicOnly })(`${shopUrl}/${place.pathOf("pair")}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({
        code,
        store: storeId,
        checkout_server: publicUrl,
        environment,
        owner_pages: hasOwnerPages,
      }),
      signal: AbortSignal.timeout(serverLimits.pairMs),
    });
    const body = readJson(await response.text());
    const answer = answerSchema.safeParse(body);
    if (response.status === 200 && answer.success && answer.data.store === storeId) {
      const settingsUrl = ownPageOf(shopUrl, answer.data.settings_url);
      const { link_secret: linkSecret, name, currency, version } = answer.data;
      return { status: "paired", linkSecret, settingsUrl, facts: { name, currency, version } };
    }
    return { status: errorCodeOf(body ?? {}) === "tillkit_pairing_refused" ? "refused" : "unreachable" };
  } catch {
    return { status: "unreachable" };
  }
}

/** The page of the shop to return to; the shop's first page if the answer names a page of another site. */
function ownPageOf(shopUrl: string, settingsUrl: string): string {
  if (!isPageOf(settingsUrl, shopUrl)) return shopUrl;
  const url = new URL(settingsUrl);
  url.searchParams.set("tillkit_paired", "yes");
  // The settings are long: the owner sees the part that says what happened.
  url.hash = "tillkit-connection";
  return url.href;
}
