import { notFound } from "../domain/api-error.ts";
import type { Environment } from "../domain/environment.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

export type KeyPair = { secret: string; publishable: string };
export type Keys = Record<Environment, KeyPair>;

const environments: readonly Environment[] = ["test", "live"];

/** Creates a merchant with four API keys: secret and publishable, for test and live. */
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
  const keys: Keys = {
    test: { secret: ids.apiKey("sk", "test"), publishable: ids.apiKey("pk", "test") },
    live: { secret: ids.apiKey("sk", "live"), publishable: ids.apiKey("pk", "live") },
  };
  await context.database.insertInto("organizations").values(organization).execute();
  const { organization_id } = organization;
  await context.database
    .insertInto("api_keys")
    .values(
      environments.flatMap((environment) => [
        { key: keys[environment].secret, organization_id, environment, kind: "secret" as const },
        { key: keys[environment].publishable, organization_id, environment, kind: "publishable" as const },
      ]),
    )
    .execute();
  return { organization, keys };
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

export async function readKeys(database: SandboxDatabase, organizationId: string): Promise<Keys> {
  const found = await database
    .selectFrom("api_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .execute();
  const key = (environment: Environment, kind: "secret" | "publishable") =>
    found.find((row) => row.environment === environment && row.kind === kind)?.key ?? "";
  return {
    test: { secret: key("test", "secret"), publishable: key("test", "publishable") },
    live: { secret: key("live", "secret"), publishable: key("live", "publishable") },
  };
}
