import { EXTERNAL_TEXT_MAX_LENGTH, EXTERNAL_TEXT_READ_LENGTH, MAX_ERROR_FIELDS } from "../system/limits.ts";

const SECRETS: readonly [RegExp, string][] = [
  [/svc_[sp]k_(?:test|live)_[A-Za-z0-9]+/g, "[key]"],
  [/whsec_[A-Za-z0-9]+/g, "[secret]"],
  [/pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+/g, "[secret]"],
  [/(?<![^\s@"'<>(),;:])[^\s@"'<>(),;:]+@[^\s@"'<>(),;:]+\.[^\s@"'<>(),;:]+/g, "[email]"],
  // Card and phone numbers with any spacing: nine digits or more, or seven after + or 0. Digits inside an id stay.
  [/(?<![\w-])(?:\+|\b0)\d(?:[ .()-]?\d){6,}(?![\w-])/g, "[number]"],
  [/(?<![\w-])\d(?:[ .()-]?\d){8,}(?![\w-])/g, "[number]"],
];

/** Replaces keys, secrets, email addresses, card numbers and phone numbers in text from outside. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, name]) => clean.replace(pattern, name), text);
}

/** Redacts text from outside and shortens it to what an error may hold. */
export function redactAndTruncate(text: string): string {
  return redact(text.slice(0, EXTERNAL_TEXT_READ_LENGTH)).slice(0, EXTERNAL_TEXT_MAX_LENGTH);
}

/** A JSON value whose texts are redacted and shortened, with at most `MAX_ERROR_FIELDS` items of each list and object. */
export function redactJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactAndTruncate(value);
  if (typeof value === "number") return Math.abs(value) >= LEAST_CARD_NUMBER ? "[number]" : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_REDACTED_DEPTH) return "[…]";
  if (Array.isArray(value)) return value.slice(0, MAX_ERROR_FIELDS).map((item) => redactJson(item, depth + 1));
  const fields = Object.entries(value).slice(0, MAX_ERROR_FIELDS);
  return Object.fromEntries(fields.map(([name, field]) => [redactAndTruncate(name), redactJson(field, depth + 1)]));
}

/** Card numbers have twelve digits or more. */
const LEAST_CARD_NUMBER = 1e11;
const MAX_REDACTED_DEPTH = 6;

/** A cause that is safe to log: name, code and redacted message of the original error, and none of its other fields. */
export function redactedCause(thrown: unknown): Error {
  const source = thrown instanceof Error ? thrown : new Error(typeof thrown === "string" ? thrown : "unknown reason");
  const clean = new Error(redactAndTruncate(source.message));
  clean.name = redactAndTruncate(source.name);
  const code = systemErrorCode(source);
  return code === undefined ? clean : Object.assign(clean, { code });
}

/** Node's code of an error or of its cause, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export function systemErrorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const { code, cause } = thrown as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined;
  return thrown === cause ? undefined : systemErrorCode(cause);
}
