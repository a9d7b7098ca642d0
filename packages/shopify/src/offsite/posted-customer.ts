import type { Customer } from "@tillkit/core";
import type { PaymentBody } from "./session-bodies.ts";

/** What Shopify posted of the customer and the hosted page can use. A field that is missing or unreadable is left out. */
export function postedCustomer({ customer }: Pick<PaymentBody, "customer">): Customer {
  const address = customer?.billing_address;
  const name = [address?.given_name, address?.family_name].filter((part) => part).join(" ");
  const email = customer?.email;
  const phone = customer?.phone_number ?? address?.phone_number;
  return {
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
  };
}
