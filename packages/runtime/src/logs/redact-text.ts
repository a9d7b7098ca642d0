import { safeText } from "@tillkit/core";

const UUID = /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/i;

/** Replaces keys, secrets, e-mail addresses, phone and card numbers. UUIDs stay: their digits are not a phone number. */
export function redactText(text: string): string {
  return text
    .split(UUID)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join("");
}
