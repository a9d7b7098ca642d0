import { type AddressUse, addressFault, addressRule } from "@tillkit/client";
import { describe, expect, it } from "vitest";
import { probes } from "./probes.ts";

/** The words with which a refusal names the setting, what its address is for, and a function that throws for a refused address. */
type Setting = readonly [name: string, use: Exclude<AddressUse, "link">, read: (address: string) => unknown];

/** An address that every setting accepts. */
export const GOOD = "https://good.example/x";

/** Tests that settings refuse the addresses that the one rule refuses, and no others. */
export function settingsFollowAddressRule(settings: readonly Setting[]): void {
  describe.each(settings)("the address in %s", (name, use, read) => {
    it("follows the rule, and its refusal names the setting and repeats no part of the address", async () => {
      for (const { address, [use]: kind } of probes) {
        const refusal = await refusalOf(() => read(address));
        const fault = addressFault(address, use);
        expect(fault?.kind ?? null).toBe(kind);
        if (fault === null) expect(refusal, address).toBeNull();
        else expect(refusal, address).toContain(`${name} ${addressRule(fault)}.`);
        expect(refusal ?? "").not.toContain("hunter2");
      }
    });
  });
}

async function refusalOf(read: () => unknown): Promise<string | null> {
  try {
    await read();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
