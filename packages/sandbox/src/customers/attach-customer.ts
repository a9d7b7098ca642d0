import type { WriteContext } from "../runtime/service.ts";
import type { CustomerRow } from "../storage/payment-tables.ts";
import { insertCustomer } from "./customers.ts";

/** Who pays, as far as the page asked; null: not asked, not said. */
export type Payer = {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: Record<string, string>;
};

/** Whose payment it is; `customer_id` when the merchant said who pays. */
type Payment = Pick<CustomerRow, "organization_id" | "environment"> & { customer_id: string | null };

/** Paying attaches a customer: the one that the merchant named, else one found by e-mail or telephone, else a new one. */
export async function attachCustomer(context: WriteContext, payment: Payment, payer: Payer): Promise<string> {
  const known = payment.customer_id ?? (await findCustomer(context, payment, payer));
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

async function findCustomer(context: WriteContext, payment: Payment, payer: Payer): Promise<string | null> {
  const contacts = [["email", payer.email] as const, ["phone_number", payer.phone] as const];
  for (const [column, value] of contacts) {
    if (value === null) continue;
    const found = await context.rows
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
