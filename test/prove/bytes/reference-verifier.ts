import { createHash } from "node:crypto";

/**
 * Returns whether one of the secrets signed the body. The function follows the service's webhook documentation and RFC 2104 and
 * uses none of our code: one signature, or two separated by a comma, of 64 hexadecimal digits each.
 */
export function isGenuine(body: Uint8Array, header: string, secrets: readonly string[]): boolean {
  const signatures = header.split(",").map((claim) => claim.replace(/^[ \t]*/, "").replace(/[ \t]*$/, ""));
  if (signatures.length > 2 || signatures.some((claim) => !isSignature(claim))) return false;
  return secrets.some((secret) => signatures.some((claim) => claim.toLowerCase() === hmac(secret, body)));
}

const isSignature = (claim: string): boolean =>
  claim.length === 64 && [...claim].every((digit) => "0123456789abcdefABCDEF".includes(digit));

const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

function hmac(secret: string, body: Uint8Array): string {
  const given = Buffer.from(secret, "utf8");
  const key = Buffer.concat([given.length > 64 ? sha256(given) : given, Buffer.alloc(64)]).subarray(0, 64);
  return sha256(
    key.map((byte) => byte ^ 0x5c),
    sha256(
      key.map((byte) => byte ^ 0x36),
      body,
    ),
  ).toString("hex");
}
