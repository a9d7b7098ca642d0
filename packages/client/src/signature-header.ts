/**
 * The signatures of a delivery: exactly one header, holding one signature or, while a secret is being rotated, two
 * separated by a comma. Each is 64 hexadecimal characters; upper case counts as the same number. Null for anything else.
 */
export function readSignatureHeader(header: string | readonly string[] | undefined): readonly string[] | null {
  const value = typeof header === "string" ? header : header?.length === 1 ? header[0] : undefined;
  const signatures = value?.split(",", 3).map((part) => part.replace(/^[ \t]+|[ \t]+$/g, ""));
  if (signatures === undefined || signatures.length > 2) return null;
  if (!signatures.every((signature) => /^[0-9a-fA-F]{64}$/.test(signature))) return null;
  return signatures.map((signature) => signature.toLowerCase());
}
