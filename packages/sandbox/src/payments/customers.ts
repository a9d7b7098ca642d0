import type { Change } from "../service/service.ts";
import type { SessionRow } from "../storage/tables.ts";

/** Who pays, as far as the page asked; null: not asked, not said. */
export type Payer = {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: Record<string, string>;
};

/** Paying attaches a customer: the session's own, else one found by e-mail or telephone, else a new one. */
export async function attachCustomer(change: Change, session: SessionRow, payer: Payer): Promise<string> {
  const known = session.customer_id ?? (await findCustomer(change, session, payer));
  if (known !== null) return known;
  const { ids } = change.service;
  const row = {
    customer_id: ids.uuid(),
    public_id: ids.short("cus"),
    organization_id: session.organization_id,
    environment: session.environment,
    name: payer.name,
    email: payer.email,
    phone_number: payer.phone,
    address_json: JSON.stringify(payer.address),
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("customers").values(row).execute();
  return row.customer_id;
}

async function findCustomer(change: Change, session: SessionRow, payer: Payer): Promise<string | null> {
  const ways = [["email", payer.email] as const, ["phone_number", payer.phone] as const];
  for (const [column, value] of ways) {
    if (value === null) continue;
    const found = await change.rows
      .selectFrom("customers")
      .select("customer_id")
      .where("organization_id", "=", session.organization_id)
      .where("environment", "=", session.environment)
      .where(column, "=", value)
      .executeTakeFirst();
    if (found !== undefined) return found.customer_id;
  }
  return null;
}
