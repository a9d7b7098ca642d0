import { notFound } from "../domain/api-error.ts";
import type { Environment } from "../domain/environment.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";
import { createKeys, type Keys } from "./api-keys.ts";
import type { Owner } from "./owner.ts";

/** Creates the organization of a new merchant with four API keys: secret and publishable, for test and live. */
export async function createOrganization(
  context: WriteContext,
  name: string,
): Promise<{ organization: OrganizationRow; keys: Keys }> {
  const { ids } = context.service;
  const organization: OrganizationRow = {
    organization_id: ids.uuid(),
    merchant_id: ids.uuid(),
    name,
    status: "active",
    default_currency: "XOF",
    created_at: context.now,
    updated_at: null,
    settings_json: null,
  };
  await context.database.insertInto("organizations").values(organization).execute();
  return { organization, keys: await createKeys(context, organization.organization_id) };
}

/** @throws ApiError `not_found` */
export async function readOrganization(database: SandboxDatabase, organizationId: string): Promise<OrganizationRow> {
  const row = await database
    .selectFrom("organizations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (row === undefined) throw notFound("Organization");
  return row;
}

/**
 * Returns the organization and environment that own a row. The owner has no `delegation`, so nobody acts for it.
 * @throws ApiError `not_found`
 */
export async function readOwner(
  database: SandboxDatabase,
  { organization_id, environment }: { organization_id: string; environment: Environment },
): Promise<Owner> {
  return { organization: await readOrganization(database, organization_id), environment };
}
