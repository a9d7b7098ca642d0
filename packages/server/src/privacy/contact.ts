/** How a customer is known to the service: an e-mail address in small letters, or the digits of a phone number with its country code. */
export type Contact = { readonly kind: "email" | "phone"; readonly value: string };

/** A country code is not guessed: two customers of two countries can have the same number at home. */
const PHONE = /^(?:\+|00)[\d\s().-]{8,24}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Null: neither an e-mail address nor a phone number with its country code, such as +221 77 000 12 34. */
export function readContact(text: string): Contact | null {
  const written = text.trim();
  if (EMAIL.test(written)) return { kind: "email", value: written.toLowerCase() };
  return PHONE.test(written) ? { kind: "phone", value: digitsOf(written) } : null;
}

/** Whether a webhook's body says this e-mail address or number anywhere, written in whatever way. */
export function namesContact(body: Uint8Array, contact: Contact): boolean {
  try {
    return isIn(JSON.parse(new TextDecoder().decode(body)), contact);
  } catch {
    return false;
  }
}

function isIn(value: unknown, contact: Contact): boolean {
  if (typeof value === "string") return isThe(value, contact);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => isIn(part, contact));
}

function isThe(text: string, { kind, value }: Contact): boolean {
  return kind === "email" ? text.trim().toLowerCase() === value : /^[+\d]/.test(text) && digitsOf(text) === value;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "").replace(/^00/, "");
}
