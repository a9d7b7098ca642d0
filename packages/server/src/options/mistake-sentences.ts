import { type AddressUse, addressFault, addressRule } from "@tillkit/client";

/** A sentence about an address that is missing or refused. */
export function addressMistakes(address: unknown, name: string, use: AddressUse): string[] {
  const fault = addressFault(address, use);
  return fault === null ? [] : [`${name} ${addressRule(fault)}.`];
}

/** A sentence about a secret that is shorter than `minLength`. */
export function lengthMistakes(secret: unknown, name: string, minLength: number): string[] {
  if (typeof secret === "string" && secret.length >= minLength) return [];
  return [
    `${name} is too short: use ${minLength} random characters or more, for example from \`openssl rand -hex 32\`.`,
  ];
}
