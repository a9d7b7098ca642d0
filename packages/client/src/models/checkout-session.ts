import { type JsonObject, numberField, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/**
 * A checkout session as an answer showed it. A field that is undefined was not said: reads are known to come from a
 * narrower row than creations, so nothing is guessed. Times in milliseconds since 1970.
 */
export type CheckoutSession = {
  readonly id?: string | undefined;
  /** The hosted page. */
  readonly url?: string | undefined;
  readonly status?: OpenEnum<"open" | "completed" | "expired"> | undefined;
  /** In the unit of the wire, as it was sent. */
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly title?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
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
  const found = unwrapObject(answer, ["checkout_session_id", "checkout_url"]) ?? unwrapObject(answer, ["id", "status"]);
  if (found === null) return null;
  const network = objectField(found, "network");
  return {
    id: stringField(found, "checkout_session_id", "id"),
    url: stringField(found, "checkout_url"),
    status: stringField(found, "status"),
    amount: numberField(found, "amount"),
    currencyCode: stringField(found, "currency_code"),
    title: stringField(found, "title"),
    metadata: objectField(found, "metadata"),
    environment: stringField(found, "environment"),
    transactionId: stringField(found, "transaction_id"),
    expiresAt: timeField(found, "expires_at"),
    createdAt: timeField(found, "created_at"),
    account: network && stringField(network, "account"),
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
