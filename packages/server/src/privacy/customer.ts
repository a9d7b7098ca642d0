import type { Customer } from "@tillkit/client";

/** An e-mail address in small letters, or the digits of a phone number with its country code. */
export type Contact = { readonly by: "email" | "phone"; readonly value: string };

/** How a shop owner names a customer: by the id that the service gave (its webhooks know nothing else), or by a contact. */
export type NamedCustomer = { readonly by: "id"; readonly value: string } | Contact;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** A country code is not guessed: two customers of two countries can have the same number at home. */
const PHONE = /^(?:\+|00)[\d\s().-]{8,24}$/;

/** Null: none of the three. */
export function readCustomer(text: string): NamedCustomer | null {
  const written = text.trim().toLowerCase();
  if (UUID.test(written)) return { by: "id", value: written };
  if (EMAIL.test(written)) return { by: "email", value: written };
  return PHONE.test(written) ? { by: "phone", value: digitsOf(written) } : null;
}

export function hasContact(customer: Customer, { by, value }: Contact): boolean {
  if (by === "email") return customer.email?.trim().toLowerCase() === value;
  return [customer.phoneNumber, customer.whatsappNumber].some((number) => number && digitsOf(number) === value);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "").replace(/^00/, "");
}
