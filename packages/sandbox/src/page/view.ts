import { type SessionTerms, storedTerms } from "../payments/session-terms.ts";
import type { Exponents } from "../service/currencies.ts";
import type { SessionRow } from "../storage/tables.ts";
import { amountText } from "./amount-text.ts";
import type { Shop } from "./shop.ts";
import type { Words } from "./words.ts";

/** What every page of a session needs. */
export type View = {
  words: Words;
  merchant: string;
  shop: Shop;
  session: SessionRow;
  terms: SessionTerms;
  amount: string;
  /** Address of a page of this session, in the language that the shopper chose. */
  address: (page?: string, query?: string) => string;
  successUrl: string | null;
  cancelUrl: string | null;
  nonce: string;
};

type Given = {
  words: Words;
  /** Set when the shopper chose the language by the switch: then every link keeps it. */
  chosen: string | null;
  shop: Shop;
  session: SessionRow;
  path: string;
  exponents: Exponents;
  nonce: string;
};

export function createView({ words, chosen, shop, session, path, exponents, nonce }: Given): View {
  const terms = storedTerms(session);
  return {
    words,
    merchant: shop.name,
    shop,
    session,
    terms,
    amount: amountText(session.amount, session.currency_code, words.language, exponents),
    address(page = "", query = "") {
      const parameters = [query, chosen === null ? "" : `lang=${words.language}`].filter(Boolean).join("&");
      return `${path}/${session.code}${page}${parameters === "" ? "" : `?${parameters}`}`;
    },
    successUrl: withSessionId(terms.success_url, session),
    cancelUrl: terms.cancel_url,
    nonce,
  };
}

/** `{CHECKOUT_SESSION_ID}`, also as URL builders encode it, becomes the id of the session. */
function withSessionId(url: string | null, { session_id }: SessionRow): string | null {
  return url?.replace(/\{CHECKOUT_SESSION_ID\}|%7BCHECKOUT_SESSION_ID%7D/gi, session_id) ?? null;
}
