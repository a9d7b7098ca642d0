/**
 * The signatures of a delivery: exactly one header, holding one signature or, while a secret is being rotated, two
 * separated by a comma. Each is 64 hexadecimal characters; upper case counts as the same number. Null for anything else.
 */
export function readSignatureHeader(header: string | readonly string[] | undefined): readonly string[] | null {
  const value = typeof header === "string" ? header : header?.length === 1 ? header[0] : undefined;
  const parts = value?.split(",", 3);
  if (parts === undefined || parts.length > 2) return null;
  const signatures = parts.map((part) => SIGNATURE.exec(part)?.[1]?.toLowerCase());
  return signatures.every((signature) => signature !== undefined) ? signatures : null;
}

// Anchored at both ends and without a choice in between: whoever sends a long header costs us its length, not its square.
const SIGNATURE = /^[ \t]*([0-9a-fA-F]{64})[ \t]*$/;
