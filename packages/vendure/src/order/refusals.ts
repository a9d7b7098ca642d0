import { codeOf, type Language } from "@tillkit/core";
import { pluginTexts } from "../texts.ts";

/**
 * Vendure does not settle the order, and will not until somebody changes the order or the shop. Thrown, so that the transaction rolls
 * back and no payment stays on an unsettled order. `message` is for the owner.
 */
export class VendureRefusal extends Error {}

/**
 * Why Vendure does not settle the order, for the owner. Null for every error that a later attempt may not meet, such as a deadlock.
 * A product that was deleted after the payment began is an `ENTITY_NOT_FOUND`.
 */
export function explainRefusal(error: unknown, language: Language): string | null {
  if (error instanceof VendureRefusal) return error.message;
  const { partMissing, refusedByVendure } = pluginTexts(language);
  const code = codeOf(error);
  if (code === "ENTITY_NOT_FOUND") return partMissing;
  return code === "USER_INPUT_ERROR" ? refusedByVendure(code) : null;
}
