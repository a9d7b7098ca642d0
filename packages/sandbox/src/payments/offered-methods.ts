import type { Service } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/tables.ts";
import { merchantSettings } from "./merchant-settings.ts";
import { codesOf, type Method, methodsFor } from "./methods.ts";
import { readOrganization } from "./organizations.ts";

/** The methods with which a session can be paid: they take its amount, and its merchant connected their provider. */
export async function offeredMethods(
  rows: Rows,
  { settings }: Pick<Service, "settings">,
  session: SessionRow,
): Promise<readonly Method[]> {
  const { providers } = merchantSettings(await readOrganization(rows, session.organization_id));
  const methods = methodsFor(session.amount, session.currency_code, settings);
  return methods.filter((method) => providers.includes(codesOf[method].provider_code));
}
