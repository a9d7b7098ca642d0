import type { IncomingMessage } from "node:http";
import type { Desk } from "../app/desk.ts";
import { PATHS, publicPath } from "../app/paths.ts";
import { shopifyLimits } from "../limits.ts";
import { readShopDomain } from "../shop/shop-domain.ts";
import { cookie, readCookie } from "./cookies.ts";

const NAME = "tillkit_shop";

/** For a browser that Shopify sent here from the admin of this shop. */
export function ownerCookie({ signer, clock, config }: Desk, shop: string): string {
  return cookie({
    name: NAME,
    value: signer.sign("owner", shop, clock.now() + shopifyLimits.ownerSessionMs),
    path: publicPath(config, PATHS.settings),
    lifeMs: shopifyLimits.ownerSessionMs,
    secure: config.publicUrl.startsWith("https:"),
  });
}

/** The shop whose owner this is, null for everybody else. */
export function readOwner({ signer, clock }: Desk, request: IncomingMessage): string | null {
  return readShopDomain(signer.read("owner", readCookie(request, NAME) ?? "", clock.now()));
}

/** From a frame in the admin, where cookies are kept away from us, to a page of our own. */
export function ticketFor({ signer, clock }: Desk, shop: string): string {
  return signer.sign("ticket", shop, clock.now() + shopifyLimits.ticketMs);
}

export function readTicket({ signer, clock }: Desk, ticket: string): string | null {
  return readShopDomain(signer.read("ticket", ticket, clock.now()));
}

/** Ties a form to the owner it was shown to: no other site can send one in their name. */
export function formToken({ signer, clock }: Desk, shop: string): string {
  return signer.sign("form", shop, clock.now() + shopifyLimits.ownerSessionMs);
}

export function isOwnForm({ signer, clock }: Desk, shop: string, token: string): boolean {
  return signer.read("form", token, clock.now()) === shop;
}
