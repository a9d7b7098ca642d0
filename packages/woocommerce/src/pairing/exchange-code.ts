import { createNodeFetch, isPageOf } from "@tillkit/client";
import type { Environment } from "@tillkit/core";
import { z } from "zod";
import { wooLimits } from "../limits.ts";
import { errorCodeOf, readJson } from "../transport/read-json.ts";

export type ExchangeInput = {
  /** The address of the shop in our configuration: the code is sent to no other address. */
  readonly shopUrl: string;
  readonly code: string;
  readonly storeId: string;
  readonly publicUrl: string;
  readonly environment: Environment;
};

/** `refused`: the code was used, has expired, or is for another checkout server. `unreachable`: nothing was changed, as far as we know. */
export type Exchange =
  | { readonly status: "paired"; readonly linkSecret: string; readonly settingsUrl: string }
  | { readonly status: "refused" | "unreachable" };

const answerSchema = z.object({
  store: z.string(),
  link_secret: z.string().min(32).max(200),
  settings_url: z.string().max(2_000),
});

/** Exchanges the one-time code of the owner for a link secret, at the plugin of the shop itself. */
export async function exchangeCode({
  shopUrl,
  code,
  storeId,
  publicUrl,
  environment,
}: ExchangeInput): Promise<Exchange> {
  try {
    const response = await createNodeFetch()(`${shopUrl}/wp-json/tillkit/v1/pair`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ code, store: storeId, checkout_server: publicUrl, environment }),
      signal: AbortSignal.timeout(wooLimits.pairMs),
    });
    const body = readJson(await response.text());
    const answer = answerSchema.safeParse(body);
    if (response.status === 200 && answer.success && answer.data.store === storeId) {
      const settingsUrl = ownPageOf(shopUrl, answer.data.settings_url);
      return { status: "paired", linkSecret: answer.data.link_secret, settingsUrl };
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
