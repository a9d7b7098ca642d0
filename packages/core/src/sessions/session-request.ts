import { limits } from "../domain/limits.ts";
import type { Customer, Order } from "../domain/order.ts";

type RequestParts = {
  readonly wireAmount: number;
  readonly currency: string;
  readonly urls: { readonly success: string; readonly cancel: string };
  readonly reference: string;
  readonly signedOrder: string;
};

/** The body of POST /checkout-sessions for an order. An empty text is left out, because the service rejects it. */
export function sessionRequest(order: Order, parts: RequestParts): Readonly<Record<string, unknown>> {
  return {
    amount: parts.wireAmount,
    currency_code: parts.currency,
    ...textField("title", order.title, limits.maxTitleLength),
    ...textField("description", order.description, limits.maxDescriptionLength),
    success_url: parts.urls.success,
    cancel_url: parts.urls.cancel,
    ...customerFields(order.customer ?? {}),
    metadata: {
      tillkit_reference: parts.reference,
      tillkit_store: order.ref.storeId,
      tillkit_order: parts.signedOrder,
      language: order.language,
    },
  };
}

/** The same body without the customer's name, e-mail and phone. Empty where it was erased. */
export function withoutCustomer(request: string): string {
  if (request === "") return "";
  const body: Record<string, unknown> = JSON.parse(request);
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith("customer_"))));
}

// One invalid e-mail would make the service reject the whole session, so anything doubtful is left out.
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
const E164 = /^\+[1-9]\d{6,14}$/;

// A platform may hand over null for a field that it declares as a text (Vendure does). Such a field must not stop a checkout.
function customerFields(customer: { readonly [Field in keyof Customer]: Customer[Field] | null }) {
  const email = customer.email ?? "";
  return {
    ...textField("customer_name", customer.name ?? "", limits.maxCustomerFieldLength),
    ...textField("customer_email", EMAIL.test(email.trim()) ? email : "", limits.maxCustomerFieldLength),
    ...textField("customer_phone", internationalNumber(customer.phone ?? ""), limits.maxCustomerFieldLength),
  };
}

/**
 * The number in E.164, or "" where its country is not certain. Nobody needs it to pay, but the form for cards stops at a number that it
 * cannot read. The zero in `+44 (0)20 …` is dialled inside the country only.
 */
function internationalNumber(phone: string): string {
  const number = phone
    .replace("(0)", "")
    .replaceAll(/[\s()./-]/g, "")
    .replace(/^00/, "+");
  return E164.test(number) ? number : "";
}

function textField<Name extends string>(name: Name, text = "", maxLength: number): { [key in Name]?: string } {
  // Cut between whole characters: a cut emoji would be invalid text.
  const sent = [...text.trim()].slice(0, maxLength).join("").trim();
  return sent === "" ? {} : ({ [name]: sent } as { [key in Name]: string });
}
