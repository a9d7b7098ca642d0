import type { Engine, Language } from "@tillkit/core";
import type { LinkPurpose, LinkTokens } from "./link-tokens.ts";

/** One request of a shopper about one payment, through a signed link. */
export type ShopperRequest = {
  readonly engine: Engine;
  readonly tokens: LinkTokens;
  readonly paymentId: string;
  /** The language that the link names; the links on the page name it too. */
  readonly language: Language | null;
  /** When this shopper began to wait, milliseconds since 1970; null on the first request. */
  readonly waitingSince: number | null;
};

/** A link to another shopper route. It is relative, so that it works under any address of this server. */
export function linkTo(request: ShopperRequest, purpose: LinkPurpose, since: number | null = null): string {
  const query = new URLSearchParams();
  if (request.language) query.set("lang", request.language);
  if (since !== null) query.set("since", String(since));
  const token = request.tokens.sign(purpose, request.paymentId);
  return `../${purpose}/${token}${query.size > 0 ? `?${query}` : ""}`;
}
