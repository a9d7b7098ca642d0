import type { IncomingMessage } from "node:http";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop-domain.ts";
import { formatCookie, readCookie } from "./cookies.ts";

const COOKIE = "tillkit_shop";

/** The `Set-Cookie` value that signs in the owner whom Shopify sent here from the admin of this shop. */
export function ownerCookie({ signer, clock, config }: AppContext, shop: string): string {
  return formatCookie({
    name: COOKIE,
    value: signer.sign("owner", shop, clock.now() + shopifyLimits.ownerSessionLifeMs),
    path: publicPath(config, PATHS.settings),
    lifeMs: shopifyLimits.ownerSessionLifeMs,
    secure: config.publicUrl.startsWith("https:"),
  });
}

/** The shop whose owner is signed in, else null. */
export function signedInShop({ signer, clock }: AppContext, request: IncomingMessage): string | null {
  return readShopDomain(signer.verify("owner", readCookie(request, COOKIE) ?? "", clock.now()));
}

/** A link parameter that signs in the owner. The admin's frame needs it, because browsers block our cookies there. */
export function createTicket({ signer, clock }: AppContext, shop: string): string {
  return signer.sign("ticket", shop, clock.now() + shopifyLimits.ticketLifeMs);
}

export function readTicket({ signer, clock }: AppContext, ticket: string): string | null {
  return readShopDomain(signer.verify("ticket", ticket, clock.now()));
}

/** A token in each form of the settings page against cross-site request forgery. */
export function createFormToken({ signer, clock }: AppContext, shop: string): string {
  return signer.sign("form", shop, clock.now() + shopifyLimits.ownerSessionLifeMs);
}

export function isFormTokenOf({ signer, clock }: AppContext, shop: string, token: string): boolean {
  return signer.verify("form", token, clock.now()) === shop;
}
