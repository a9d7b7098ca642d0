import { limits } from "../domain/limits.ts";
import { safeText } from "../domain/safe-text.ts";

/**
 * The name under which a person decides, as it may stay in the timeline for ever. Null: it is empty or too long, or looks like an e-mail address, a
 * phone number or a key.
 */
export function personName(text: string | undefined): string | null {
  const name = (text ?? "").trim().replace(/\s+/g, " ");
  return name !== "" && name.length <= limits.maxPersonNameLength && safeText(name) === name ? name : null;
}
