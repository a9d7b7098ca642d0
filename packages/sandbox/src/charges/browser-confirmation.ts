import { ApiError, notFound } from "../domain/api-error.ts";
import { readOrganization } from "../organizations/organizations.ts";
import type { ChargeRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { CardChargeDetails } from "./card-charge-json.ts";

/** What a browser sends with a card: the publishable key of the merchant and the client secret of the charge. */
export type BrowserCredentials = { publishable_key?: string | undefined; client_secret?: string | undefined };

/**
 * Checks the credentials of a confirmation from a browser. A program that confirms with the control API sends no
 * credentials, and nothing is checked. A publishable key also needs the client secret of this charge.
 * @throws ApiError `unauthorized` for an unknown key, `forbidden` for a secret key or a wrong client secret, `bad_request`
 *   without a client secret, `not_found` for the charge of another merchant or environment, `api_access_suspended`
 */
export async function assertBrowserMayConfirm(
  database: SandboxDatabase,
  charge: ChargeRow,
  { publishable_key, client_secret }: BrowserCredentials,
): Promise<void> {
  if (publishable_key !== undefined) {
    const key = await database.selectFrom("api_keys").selectAll().where("key", "=", publishable_key).executeTakeFirst();
    if (key === undefined) throw new ApiError("unauthorized", "Invalid API key");
    if (key.kind !== "publishable") {
      throw new ApiError("forbidden", "A secret key must not be in a browser: confirm with a publishable key");
    }
    if (key.organization_id !== charge.organization_id || key.environment !== charge.environment) {
      throw notFound("Card charge");
    }
    const { status } = await readOrganization(database, key.organization_id);
    if (status === "suspended") throw new ApiError("api_access_suspended", "API access is suspended");
    if (client_secret === undefined) throw new ApiError("bad_request", "client_secret is required with a key");
  }
  if (client_secret === undefined) return;
  const details: CardChargeDetails = JSON.parse(charge.details_json);
  if (client_secret !== details.client_secret) {
    throw new ApiError("forbidden", "This client_secret belongs to another card charge");
  }
}
