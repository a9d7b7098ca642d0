import { BRIDGE_PATH } from "./names.ts";
import { ORDER_ID } from "./orders/bridged-order.ts";
import { isSigned, type LinkSecrets, sign } from "./signature.ts";

/** The order as a pay link describes it, in the shop's own notation. `exp`: seconds since 1970. */
export type PayLink = {
  readonly store: string;
  readonly order: string;
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly exp: string;
};

/** `forged`: well-formed, but the signature does not match. `malformed`: a parameter is missing, repeated or unreadable. */
export type PayLinkVerification =
  | { readonly status: "valid"; readonly link: PayLink }
  | { readonly status: "malformed" | "forged" | "expired" };

const PATTERNS: Readonly<Record<keyof PayLink | "sig", RegExp>> = {
  store: /^[\w-]{1,64}$/,
  order: ORDER_ID,
  key: /^[\w-]{1,100}$/,
  amount: /^\d{1,15}(?:\.\d{1,20})?$/,
  currency: /^[A-Z]{3}$/,
  exp: /^\d{1,12}$/,
  sig: /^v1\.[0-9a-f]{64}$/,
};

const TOLERANCE_SECONDS = 300;
const MAX_LIFETIME_SECONDS = 86_400;

/** The address to which the plugin redirects the shopper. */
export function payLinkUrl(checkoutServerUrl: string, link: PayLink, secret: string): string {
  return `${checkoutServerUrl}${BRIDGE_PATH}pay?${new URLSearchParams({ ...link, sig: sign(canonicalLines(link), secret) })}`;
}

/**
 * Verifies the query of a pay link: form, then signature, then expiry. `secretsOf` looks up the secrets of the store that the
 * link names.
 *
 * @param nowMs milliseconds since 1970
 */
export function verifyPayLink(
  query: URLSearchParams,
  secretsOf: (storeId: string) => LinkSecrets | null,
  nowMs: number,
): PayLinkVerification {
  const fields = new Map<string, string>();
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const [value, second] = query.getAll(name);
    if (value === undefined || second !== undefined || !pattern.test(value)) return { status: "malformed" };
    fields.set(name, value);
  }
  const text = (name: keyof typeof PATTERNS) => fields.get(name) ?? "";
  const link = {
    store: text("store"),
    order: text("order"),
    key: text("key"),
    amount: text("amount"),
    currency: text("currency"),
    exp: text("exp"),
  };
  const secrets = secretsOf(link.store);
  if (secrets === null) return { status: "malformed" };
  if (!isSigned(canonicalLines(link), text("sig"), secrets)) return { status: "forged" };
  const secondsLeft = Number(link.exp) - Math.floor(nowMs / 1_000);
  const isCurrent = secondsLeft >= -TOLERANCE_SECONDS && secondsLeft <= MAX_LIFETIME_SECONDS + TOLERANCE_SECONDS;
  return isCurrent ? { status: "valid", link } : { status: "expired" };
}

function canonicalLines({ store, order, key, amount, currency, exp }: PayLink): string[] {
  return ["tillkit v1 pay", store, order, key, amount, currency, exp];
}
