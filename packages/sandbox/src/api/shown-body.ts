const hiddenNames = /secret|token|password|number|cvc|cvv|pin$|otp|e-?mail|phone|whatsapp/i;
const addressNames = /url$/i;
const returnNames = /^(success|cancel|error)_?url$/i;
const hiddenTexts = /whsec_|svc_[sp]k_|_secret_|^\d[\d -]{11,22}\d$/;

/**
 * A body of the API as it may be shown to who runs the sandbox: JSON without secrets, card numbers, e-mail addresses,
 * telephones, and what is private in addresses.
 */
export function shownBody(text: string): string {
  try {
    return JSON.stringify(shown("", JSON.parse(text)), null, 2);
  } catch {
    return `${text.length} characters that are no JSON`;
  }
}

function shown(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (hiddenNames.test(name)) return "[hidden]";
  if (typeof value === "string") return shownText(name, value);
  if (typeof value === "number") return value > 1e11 ? shownText(name, String(value)) : value;
  if (Array.isArray(value)) return value.map((one) => shown("", one));
  return Object.fromEntries(Object.entries(value as object).map(([inner, one]) => [inner, shown(inner, one)]));
}

function shownText(name: string, text: string): string {
  if (hiddenTexts.test(text)) return "[hidden]";
  return addressNames.test(name) && /^https?:/i.test(text) && URL.canParse(text) ? shownAddress(name, text) : text;
}

/** User, query and fragment of an address may be passwords, the path of a return address the key to an order. */
function shownAddress(name: string, text: string): string {
  const { origin, pathname, search } = new URL(text);
  if (returnNames.test(name)) return `${origin}/…`;
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}
