import { isSecureUrl } from "../config/addresses.ts";

/** Sentences about an address that is missing, malformed or not secure. */
export function addressMistakes(address: unknown, name: string, example: string): string[] {
  if (typeof address !== "string" || !URL.canParse(address)) {
    return [`${name} must be an absolute address, such as ${example}.`];
  }
  if (isSecureUrl(address)) return [];
  return [`${name} must begin with https://; plain http is for this machine only (localhost).`];
}

/** A sentence about a secret that is shorter than `minLength`. */
export function lengthMistakes(secret: unknown, name: string, minLength: number): string[] {
  if (typeof secret === "string" && secret.length >= minLength) return [];
  return [
    `${name} is too short: use ${minLength} random characters or more, for example from \`openssl rand -hex 32\`.`,
  ];
}
