import { addressFault } from "../addresses/address-fault.ts";
import {
  enumField,
  type JsonObject,
  numberField,
  type OpenEnum,
  objectField,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

/**
 * A checkout session as the service returned it. Fields missing from the response are undefined. GET returns fewer fields than POST
 * (API.md#response-forms). Times are in milliseconds since 1970.
 */
export type CheckoutSession = {
  readonly id?: string | undefined;
  /** URL of the hosted payment page. */
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

/** A session with a payment page to which the shopper can be redirected. */
export type OpenedCheckoutSession = CheckoutSession & { readonly id: string; readonly url: string };

/** Null when the response holds no checkout session. */
export function parseCheckoutSession(response: unknown): CheckoutSession | null {
  const fields =
    unwrapObject(response, ["checkout_session_id", "checkout_url"]) ?? unwrapObject(response, ["id", "status"]);
  if (fields === null) return null;
  const network = objectField(fields, "network");
  return {
    id: stringField(fields, "checkout_session_id", "id"),
    url: stringField(fields, "checkout_url"),
    status: enumField(fields, "status"),
    amount: numberField(fields, "amount"),
    currencyCode: stringField(fields, "currency_code"),
    title: stringField(fields, "title"),
    metadata: objectField(fields, "metadata"),
    environment: enumField(fields, "environment"),
    transactionId: stringField(fields, "transaction_id"),
    expiresAt: timeField(fields, "expires_at"),
    createdAt: timeField(fields, "created_at"),
    account: network && stringField(network, "account"),
  };
}

/** Null without a session ID or without an http(s) URL, because the shopper must not be redirected then. */
export function parseOpenedCheckoutSession(response: unknown): OpenedCheckoutSession | null {
  const session = parseCheckoutSession(response);
  if (session?.id === undefined || session.url === undefined || addressFault(session.url, "link") !== null) return null;
  return { ...session, id: session.id, url: session.url };
}
