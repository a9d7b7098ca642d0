import type { WriteContext } from "../runtime/service.ts";
import type { CustomerRow } from "../storage/payment-tables.ts";
import { insertCustomer } from "./customers.ts";

/** The shopper's details. Null means that the page did not ask for the value or the shopper left it empty. */
export type Payer = {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: Record<string, string>;
};

/** The columns of a payment that decide its customer: the merchant, the environment and the customer that the merchant named, if any. */
type Payment = Pick<CustomerRow, "organization_id" | "environment"> & { customer_id: string | null };

/** The id of the customer that the merchant named, else of a customer with the same e-mail or phone number, else of a new customer. */
export async function attachCustomer(context: WriteContext, payment: Payment, payer: Payer): Promise<string> {
  const known = payment.customer_id ?? (await findByContact(context, payment, payer));
  if (known !== null) return known;
  const created = await insertCustomer(context, {
    organization_id: payment.organization_id,
    environment: payment.environment,
    membership_id: null,
    account: null,
    name: payer.name,
    email: payer.email,
    phone_number: payer.phone,
    address: payer.address,
  });
  return created.customer_id;
}

async function findByContact(context: WriteContext, payment: Payment, payer: Payer): Promise<string | null> {
  const contacts = [["email", payer.email] as const, ["phone_number", payer.phone] as const];
  for (const [column, value] of contacts) {
    if (value === null) continue;
    const found = await context.database
      .selectFrom("customers")
      .select("customer_id")
      .where("organization_id", "=", payment.organization_id)
      .where("environment", "=", payment.environment)
      .where(column, "=", value)
      .executeTakeFirst();
    if (found !== undefined) return found.customer_id;
  }
  return null;
}
