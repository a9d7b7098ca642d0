import type { Engine, Language } from "@tillkit/core";
import type { LinkPurpose, LinkTokens } from "./link-tokens.ts";

/** One look of a shopper at one payment, through a signed link. */
export type Visit = {
  readonly engine: Engine;
  readonly tokens: LinkTokens;
  readonly paymentId: string;
  /** The language that the link names, which its own links go on naming. */
  readonly named: Language | null;
  /** When this shopper began to wait, milliseconds since 1970; null: this is the first look. */
  readonly since: number | null;
};

/** A link to another of our routes, relative, so that it works under whatever address this one was opened. */
export function linkTo(visit: Visit, purpose: LinkPurpose, since: number | null = null): string {
  const query = new URLSearchParams();
  if (visit.named) query.set("lang", visit.named);
  if (since !== null) query.set("since", String(since));
  const token = visit.tokens.sign(purpose, visit.paymentId);
  return `../${purpose}/${token}${query.size > 0 ? `?${query}` : ""}`;
}
