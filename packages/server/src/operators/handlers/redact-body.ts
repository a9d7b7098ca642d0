import { safeText } from "@tillkit/core";

/**
 * The fields of an event that are shown: ids, amounts, states and times. Every other text may be the shopper's, so its value is
 * replaced by `removed`.
 */
const SHOWN: ReadonlySet<string> = new Set(
  `id event type timestamp created object created_at updated_at transaction_id public_id checkout_session_id refund_id dispute_id
  organization_id customer_id transaction_type status outcome reason evidence_due_by failure_code currency_code provider_code
  payment_method_code environment service_environment account membership_id product_id price_id subscription_id`.split(
    /\s+/,
  ),
);

/** The JSON of a webhook, indented and without personal data. Null when the bytes are not JSON. */
export function redactBody(bytes: Uint8Array, removed: string): string | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return JSON.stringify(parsed, (key, value: unknown) => redactValue(key, value, removed), 2);
  } catch {
    return null;
  }
}

// The service names all fields but those in metadata, where another integration may write anything under any name.
function redactValue(key: string, value: unknown, removed: string): unknown {
  if (key === "metadata" && value !== null) return removed;
  if (typeof value === "number") return /amount|quantity/.test(key) ? value : removed;
  if (typeof value !== "string") return value;
  if (!SHOWN.has(key)) return removed;
  // `safeText` would take the digits of some ids for a phone number, so a text that looks like an id or a time stays.
  return /^[\w.:+-]{1,80}$/.test(value) && !/^\+?\d{8,}$/.test(value) ? value : safeText(value);
}
