/**
 * The signatures of a delivery, in lower case. Accepts exactly one header with one signature or, while a secret is
 * rotated, with two signatures separated by a comma; each has 64 hexadecimal digits in either case. Null for anything else.
 */
export function parseSignatureHeader(header: string | readonly string[] | undefined): readonly string[] | null {
  const value = onlyHeader(header);
  if (value === undefined) return null;
  if (ONE_SIGNATURE.test(value)) return [value];
  const parts = value.split(",", 3);
  if (parts.length > 2) return null;
  const signatures = parts.map((part) => SIGNATURE.exec(part)?.[1]?.toLowerCase());
  return signatures.every((signature) => signature !== undefined) ? signatures : null;
}

function onlyHeader(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header === "string") return header;
  return header?.length === 1 ? header[0] : undefined;
}

// Anchored at both ends and without alternatives: a long hostile header costs linear time, not quadratic time.
const SIGNATURE = /^[ \t]*([0-9a-fA-F]{64})[ \t]*$/;
/** What the service sends, except while a secret is rotated. */
const ONE_SIGNATURE = /^[0-9a-f]{64}$/;
