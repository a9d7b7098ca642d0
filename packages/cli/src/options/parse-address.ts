import type { AddressUse } from "@tillkit/client";
import { UsageError } from "../command-line/usage-error.ts";

/**
 * The address; a `base` in its normal form, without a slash at its end.
 * @param name the option, variable or file that holds the address, as a person knows it
 * @throws UsageError without the address, which may contain a password
 */
export async function parseAddress(name: string, address: string, use: AddressUse): Promise<string> {
  const { addressFault, addressRule, normalBase } = await import("@tillkit/client");
  const fault = addressFault(address, use);
  if (fault !== null) throw new UsageError(`${name} ${addressRule(fault)}.`);
  return use === "base" ? normalBase(address) : address;
}
