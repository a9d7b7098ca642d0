import { type FormValues, formValuesFrom, rememberedFields } from "./form-values.ts";

const cookieName = "checkout_draft";
const maxAgeSeconds = 3600;

/**
 * Stores the typed values in a cookie, so that a second attempt is prefilled. Another browser with the same link does not see
 * the values. Card fields are never stored.
 */
export function saveDraftHeader(values: FormValues, path: string): Record<string, string> {
  const value = Buffer.from(JSON.stringify(values)).toString("base64url");
  return { "Set-Cookie": `${cookieName}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax` };
}

export function clearDraftHeader(path: string): Record<string, string> {
  return { "Set-Cookie": `${cookieName}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax` };
}

/** Reads the stored values, or null. The cookie is untrusted input, so only known fields are read. */
export function readDraft(header: string | undefined): FormValues | null {
  const value = new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]+)`).exec(header ?? "")?.[1];
  if (value === undefined) return null;
  try {
    const stored: unknown = JSON.parse(Buffer.from(value, "base64url").toString("utf8"));
    if (typeof stored !== "object" || stored === null) return null;
    const entries = Object.entries(stored).filter(([, text]) => typeof text === "string");
    return formValuesFrom(
      new URLSearchParams(entries.filter(([name]) => (rememberedFields as readonly string[]).includes(name))),
    );
  } catch {
    return null;
  }
}
