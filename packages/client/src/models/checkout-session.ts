import { type JsonObject, numberField, type OpenEnum, objectField, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/**
 * A checkout session as the service returned it. An absent field was not in the response: a read returns fewer fields
 * than a creation (API.md#response-forms), and this reader fills in nothing. Times are milliseconds since 1970.
 */
export type CheckoutSession = {
  readonly id?: string | undefined;
  /** The hosted page. */
  readonly url?: string | undefined;
  readonly status?: OpenEnum<"open" | "completed" | "expired"> | undefined;
  /** In the unit of the API, as it was sent (API.md#amounts). */
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly title?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly transactionId?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly createdAt?: number | undefined;
  /** The Member Account that an Operator's session belongs to. */
  readonly account?: string | undefined;
};

/** A session with a page that a shopper can be redirected to. */
export type OpenedCheckoutSession = CheckoutSession & { readonly id: string; readonly url: string };

/** Null when the response holds no checkout session. */
export function readCheckoutSession(response: unknown): CheckoutSession | null {
  const fields =
    unwrapObject(response, ["checkout_session_id", "checkout_url"]) ?? unwrapObject(response, ["id", "status"]);
  if (fields === null) return null;
  const network = objectField(fields, "network");
  return {
    id: stringField(fields, "checkout_session_id", "id"),
    url: stringField(fields, "checkout_url"),
    status: stringField(fields, "status"),
    amount: numberField(fields, "amount"),
    currencyCode: stringField(fields, "currency_code"),
    title: stringField(fields, "title"),
    metadata: objectField(fields, "metadata"),
    environment: stringField(fields, "environment"),
    transactionId: stringField(fields, "transaction_id"),
    expiresAt: timeField(fields, "expires_at"),
    createdAt: timeField(fields, "created_at"),
    account: network && stringField(network, "account"),
  };
}

/** Null without a session id or without an http(s) URL: such a 201 must not become a redirect. */
export function readOpenedCheckoutSession(response: unknown): OpenedCheckoutSession | null {
  const session = readCheckoutSession(response);
  if (session?.id === undefined || session.url === undefined || !isWebUrl(session.url)) return null;
  return { ...session, id: session.id, url: session.url };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
