import { isSigned, type LinkSecrets, sign } from "./signature.ts";

/** What a pay link says of the order, as the shop writes it. `exp` in seconds since 1970. */
export type PayLink = {
  readonly store: string;
  readonly order: string;
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly exp: string;
};

/** `forged`: well-formed, but not signed by the shop. `garbage`: cut off, or not a pay link at all. */
export type PayLinkReading =
  | { readonly say: "valid"; readonly link: PayLink }
  | { readonly say: "garbage" | "forged" | "expired" };

const FORMS: Readonly<Record<keyof PayLink | "sig", RegExp>> = {
  store: /^[\w-]{1,64}$/,
  order: /^[1-9]\d{0,18}$/,
  key: /^[\w-]{1,100}$/,
  amount: /^\d{1,15}(?:\.\d{1,20})?$/,
  currency: /^[A-Z]{3}$/,
  exp: /^\d{1,12}$/,
  sig: /^v1\.[0-9a-f]{64}$/,
};

const TOLERANCE_SECONDS = 300;
const LONGEST_LIFE_SECONDS = 86_400;

/** The address that the plugin sends the shopper to. */
export function payLinkUrl(companionUrl: string, link: PayLink, secret: string): string {
  return `${companionUrl}/woo/pay?${new URLSearchParams({ ...link, sig: sign(linesOf(link), secret) })}`;
}

/**
 * Reads the query of a pay link. The store's secrets are looked up by the id that the link names, which proves nothing yet.
 *
 * @param nowMs milliseconds since 1970
 */
export function readPayLink(
  query: URLSearchParams,
  secretsOf: (storeId: string) => LinkSecrets | null,
  nowMs: number,
): PayLinkReading {
  const fields = new Map<string, string>();
  for (const [name, form] of Object.entries(FORMS)) {
    const [value, second] = query.getAll(name);
    if (value === undefined || second !== undefined || !form.test(value)) return { say: "garbage" };
    fields.set(name, value);
  }
  const text = (name: keyof typeof FORMS) => fields.get(name) ?? "";
  const link = {
    store: text("store"),
    order: text("order"),
    key: text("key"),
    amount: text("amount"),
    currency: text("currency"),
    exp: text("exp"),
  };
  const secrets = secretsOf(link.store);
  if (secrets === null) return { say: "garbage" };
  if (!isSigned(linesOf(link), text("sig"), secrets)) return { say: "forged" };
  const left = Number(link.exp) - Math.floor(nowMs / 1_000);
  const lives = left >= -TOLERANCE_SECONDS && left <= LONGEST_LIFE_SECONDS + TOLERANCE_SECONDS;
  return lives ? { say: "valid", link } : { say: "expired" };
}

function linesOf({ store, order, key, amount, currency, exp }: PayLink): string[] {
  return ["tillkit v1 pay", store, order, key, amount, currency, exp];
}
