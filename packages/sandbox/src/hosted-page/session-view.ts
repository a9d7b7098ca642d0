import type { Exponents } from "../domain/currencies.ts";
import { formatAmount } from "../pages/format-amount.ts";
import type { PageBrand } from "../pages/page-brand.ts";
import { readSessionDetails, type SessionDetails } from "../payments/session-details.ts";
import type { SessionRow } from "../storage/payment-tables.ts";
import type { HostedPageTexts } from "./texts/texts.ts";

/** The data that every page of a session shows. */
export type SessionView = {
  texts: HostedPageTexts;
  merchant: string;
  brand: PageBrand;
  session: SessionRow;
  details: SessionDetails;
  amount: string;
  /** The URL of a page of this session, in the language that the shopper chose. */
  pageUrl: (page?: string, query?: string) => string;
  successUrl: string | null;
  cancelUrl: string | null;
  nonce: string;
};

type ViewInput = {
  texts: HostedPageTexts;
  /** The language that the shopper chose by the switch. Every link then keeps it. */
  chosenLanguage: string | null;
  brand: PageBrand;
  session: SessionRow;
  /** The base path of the hosted page. */
  path: string;
  exponents: Exponents;
  nonce: string;
};

export function createView({ texts, chosenLanguage, brand, session, path, exponents, nonce }: ViewInput): SessionView {
  const details = readSessionDetails(session);
  return {
    texts,
    merchant: brand.name,
    brand,
    session,
    details,
    amount: formatAmount(session.amount, session.currency_code, texts.language, exponents),
    pageUrl(page = "", query = "") {
      const parameters = [query, chosenLanguage === null ? "" : `lang=${texts.language}`].filter(Boolean).join("&");
      return `${path}/${session.code}${page}${parameters === "" ? "" : `?${parameters}`}`;
    },
    successUrl: withSessionId(details.success_url, session),
    cancelUrl: details.cancel_url,
    nonce,
  };
}

/** Replaces `{CHECKOUT_SESSION_ID}`, plain or percent-encoded, by the id of the session. */
function withSessionId(url: string | null, { session_id }: SessionRow): string | null {
  return url?.replace(/\{CHECKOUT_SESSION_ID\}|%7BCHECKOUT_SESSION_ID%7D/gi, session_id) ?? null;
}
