// A shopper reads this number out on the telephone, and a person types it into a search: ten digits in pairs, as people say numbers.
// They are the first 32 bits of the payment's id, so nothing more is stored.

const DIGITS = 10;
const HEX_DIGITS = 8;

/** `15 28 78 67 02` of an id; the id itself where it does not begin with eight hexadecimal digits. */
export function receiptNumber(paymentId: string): string {
  if (!/^[\da-f]{8}-/.test(paymentId)) return paymentId;
  const digits = String(Number.parseInt(paymentId.slice(0, HEX_DIGITS), 16)).padStart(DIGITS, "0");
  return digits.replace(/(\d\d)(?=\d)/g, "$1\u00a0");
}

/** How the id of a receipt's payment begins; null for a text that is no receipt number. */
export function idPrefixOf(typed: string): string | null {
  const digits = typed.replace(/[\s.-]/g, "");
  const value = /^\d{10}$/.test(digits) ? Number(digits) : Number.NaN;
  return value < 2 ** 32 ? `${value.toString(16).padStart(HEX_DIGITS, "0")}-` : null;
}
