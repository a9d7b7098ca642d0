import { instant, type Known, number, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

/**
 * A checkout session as an answer showed it. A field that is undefined was not said: reads are known to come from a
 * narrower row than creations, so nothing is guessed. Times in milliseconds since 1970.
 */
export type CheckoutSession = {
  readonly id?: string | undefined;
  /** The hosted page. */
  readonly url?: string | undefined;
  readonly status?: Known<"open" | "completed" | "expired"> | undefined;
  /** In the unit of the wire, as it was sent. */
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly title?: string | undefined;
  readonly metadata?: Row | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly transactionId?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly createdAt?: number | undefined;
  /** The Member Account an Operator's session belongs to. */
  readonly account?: string | undefined;
};

/** A session that a shopper can be sent to. */
export type OpenedCheckoutSession = CheckoutSession & { readonly id: string; readonly url: string };

/** Null when the answer is no session at all. */
export function readCheckoutSession(answer: unknown): CheckoutSession | null {
  const found = unwrapOne(answer, ["checkout_session_id", "checkout_url"]) ?? unwrapOne(answer, ["id", "status"]);
  if (found === null) return null;
  const network = row(found, "network");
  return {
    id: text(found, "checkout_session_id", "id"),
    url: text(found, "checkout_url"),
    status: text(found, "status"),
    amount: number(found, "amount"),
    currencyCode: text(found, "currency_code"),
    title: text(found, "title"),
    metadata: row(found, "metadata"),
    environment: text(found, "environment"),
    transactionId: text(found, "transaction_id"),
    expiresAt: instant(found, "expires_at"),
    createdAt: instant(found, "created_at"),
    account: network && text(network, "account"),
  };
}

/** Null for an answer without session id or without an http(s) URL: such a 201 must not become a redirect. */
export function readOpenedCheckoutSession(answer: unknown): OpenedCheckoutSession | null {
  const session = readCheckoutSession(answer);
  if (session?.id === undefined || session.url === undefined || !isWebUrl(session.url)) return null;
  return { ...session, id: session.id, url: session.url };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
