import type { Customer } from "@tillkit/client";

/** An e-mail address in lower case, or the digits of a phone number with its country code. */
export type Contact = { readonly by: "email" | "phone"; readonly value: string };

/** How a merchant identifies a customer: by the service's customer id, which webhooks contain, or by a contact. */
export type NamedCustomer = { readonly by: "id"; readonly value: string } | Contact;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** The country code is required: customers of two countries can have the same national number. */
const PHONE = /^(?:\+|00)[\d\s().-]{8,24}$/;

/** Null when the text is neither an id nor a contact. */
export function parseCustomer(text: string): NamedCustomer | null {
  const normalized = text.trim().toLowerCase();
  if (UUID.test(normalized)) return { by: "id", value: normalized };
  if (EMAIL.test(normalized)) return { by: "email", value: normalized };
  return PHONE.test(normalized) ? { by: "phone", value: digitsOf(normalized) } : null;
}

export function hasContact(customer: Customer, { by, value }: Contact): boolean {
  if (by === "email") return customer.email?.trim().toLowerCase() === value;
  return [customer.phoneNumber, customer.whatsappNumber].some((number) => number && digitsOf(number) === value);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "").replace(/^00/, "");
}
