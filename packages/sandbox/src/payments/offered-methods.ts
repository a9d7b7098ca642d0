import { methodCodes, methodsForAmount, type PaymentMethod } from "../domain/payment-methods.ts";
import { readMerchantSettings } from "../organizations/merchant-settings.ts";
import { readOrganization } from "../organizations/organizations.ts";
import type { Service } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/payment-tables.ts";

/** The payment methods of a session: they accept its amount, and the merchant has connected their providers. */
export async function offeredMethods(
  database: SandboxDatabase,
  { settings }: Pick<Service, "settings">,
  session: SessionRow,
): Promise<readonly PaymentMethod[]> {
  const { providers } = readMerchantSettings(await readOrganization(database, session.organization_id));
  const methods = methodsForAmount(session.amount, session.currency_code, settings);
  return methods.filter((method) => providers.includes(methodCodes[method].provider_code));
}
