/** A number as people and programs write it, `12 500,00 F CFA`, `1,250.50`, as a decimal text. */
export function readNumber(text: string): string {
  const digits = text.replace(/[^\d.,-]/g, "");
  const decimalSign = /[.,]\d{1,2}$/.exec(digits)?.[0]?.[0];
  // A single comma or point before three digits stands for thousands: 12.500 francs.
  if (decimalSign === undefined) return digits.replace(/[.,](?=\d{3}(?:\D|$))/g, "").replace(",", ".");
  const [whole = "", fraction = ""] = splitAtLast(digits, decimalSign);
  return `${whole.replace(/[.,]/g, "")}.${fraction}`;
}

function splitAtLast(text: string, sign: string): readonly string[] {
  const index = text.lastIndexOf(sign);
  return [text.slice(0, index), text.slice(index + 1)];
}

/**
 * ISO 8601, `2026-01-31 10:00:00 +0100` as Shopify writes it, `31/01/2026 10:00`, `01/31/2026`, a Unix time. In milliseconds since
 * 1970, null for what is no date. @param zoneMinutes for a text without a zone: how far its clock is ahead of UTC
 */
export function readDate(text: string, zoneMinutes: number): number | null {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const slashed = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(text);
  if (slashed) return readSlashed(slashed, zoneMinutes);
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?/.exec(
    text,
  );
  if (!match) return null;
  const [, day, time = "00:00:00", zone] = match;
  const at = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(at)) return null;
  if (zone === undefined) return at - zoneMinutes * 60_000;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return sign === undefined ? at : at - (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The day first, as in French and most of the world, unless only the month can come first. */
function readSlashed(
  [, first = "", second = "", year = "", hours = "0", minutes = "0", seconds = "0"]: RegExpExecArray,
  zoneMinutes: number,
): number {
  const [day, month] = Number(second) > 12 ? [second, first] : [first, second];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds));
  return at - zoneMinutes * 60_000;
}
