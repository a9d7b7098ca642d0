import type { Engine, Language } from "@tillkit/core";
import type { LinkPurpose, LinkTokens } from "./link-tokens.ts";
import type { PaymentNews } from "./payment-news.ts";

/** One request of a shopper about one payment, through a signed link. */
export type ShopperRequest = {
  readonly engine: Engine;
  readonly tokens: LinkTokens;
  readonly news: PaymentNews;
  readonly paymentId: string;
  /** The language that the link names; the links on the page name it too. */
  readonly language: Language | null;
  /** When this shopper began to wait, milliseconds since 1970; null on the first request. */
  readonly waitingSince: number | null;
  /** What the page shows that asks for the status; null when it does not say so. */
  readonly shownStatus: string | null;
};

/** A link to another shopper route. It is relative, so that it works under any address of this server. */
export function linkTo(request: ShopperRequest, purpose: LinkPurpose, since: number | null = null): string {
  const query = new URLSearchParams();
  if (request.language) query.set("lang", request.language);
  if (since !== null) query.set("since", String(since));
  const token = request.tokens.sign(purpose, request.paymentId);
  return `../${purpose}/${token}${query.size > 0 ? `?${query}` : ""}`;
}
