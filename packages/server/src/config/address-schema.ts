import { type AddressUse, addressFault, addressRule } from "@tillkit/client";
import { z } from "zod";

/** The text of an address for this use. */
export function addressSchema(use: AddressUse) {
  return z
    .string()
    .meta({ format: "uri" })
    .superRefine((text, context) => {
      const fault = addressFault(text, use);
      if (fault !== null) context.addIssue(addressRule(fault));
    });
}
