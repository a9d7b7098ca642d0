import { parseUrl } from "@tillkit/client";

/** Fields for secrets, card numbers and contact data. */
const secretFieldNames = /secret|token|password|number|cvc|cvv|pin$|otp|e-?mail|phone|whatsapp/i;
const urlFieldNames = /url$/i;
const returnUrlFieldNames = /^(success|cancel|error)_?url$/i;
/** Webhook secrets, API keys, client secrets, and 13 to 24 digits with spaces or dashes, as card numbers are written. */
const secretValues = /whsec_|svc_[sp]k_|_secret_|^\d[\d -]{11,22}\d$/;
/** E-mail addresses and phone numbers. */
const contactValues = /@|^\+?\d[\d ().-]{6,}$/;

/**
 * Redacts a JSON body for the console: secrets, card numbers, e-mail addresses, phone numbers and the private parts of
 * URLs are hidden.
 */
export function redactBody(text: string): string {
  try {
    return JSON.stringify(redactValue("", JSON.parse(text)), null, 2);
  } catch {
    return `${text.length} characters that are not JSON`;
  }
}

/** Redacts a query for the console: what could be a secret, a card number, an e-mail address or a phone number is hidden. */
export function redactQuery(query: string): string {
  const values = [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
    const isHidden = secretFieldNames.test(name) || secretValues.test(value) || contactValues.test(value);
    return [name, isHidden ? "[hidden]" : value];
  });
  return new URLSearchParams(values).toString();
}

function redactValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (secretFieldNames.test(name)) return "[hidden]";
  if (typeof value === "string") return redactText(name, value);
  // A number of more than eleven digits can be a card number.
  if (typeof value === "number") return value > 1e11 ? redactText(name, String(value)) : value;
  if (Array.isArray(value)) return value.map((item) => redactValue("", item));
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, redactValue(key, item)]));
}

function redactText(name: string, text: string): string {
  if (secretValues.test(text)) return "[hidden]";
  return urlFieldNames.test(name) && /^https?:/i.test(text) && parseUrl(text) ? redactUrl(name, text) : text;
}

/** User, query and fragment of a URL can contain passwords, and the path of a return URL can give access to an order. */
function redactUrl(name: string, text: string): string {
  const { origin, pathname, search } = new URL(text);
  if (returnUrlFieldNames.test(name)) return `${origin}/…`;
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}
