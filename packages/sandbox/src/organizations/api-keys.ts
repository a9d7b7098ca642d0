import { notFound } from "../domain/api-error.ts";
import type { Environment } from "../domain/environment.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { ApiKeyRow } from "../storage/organization-tables.ts";

/** A key is an empty text when every key of its kind was revoked. */
export type KeyPair = { secret: string; publishable: string };
export type Keys = Record<Environment, KeyPair>;
export type KeyKind = Pick<ApiKeyRow, "environment" | "kind">;

export const environments = ["test", "live"] as const satisfies readonly Environment[];
export const keyKinds = ["secret", "publishable"] as const satisfies readonly ApiKeyRow["kind"][];

/** Creates the first four keys of an organization. */
export async function createKeys(context: WriteContext, organizationId: string): Promise<Keys> {
  for (const environment of environments) {
    for (const kind of keyKinds) await generateKey(context, organizationId, { environment, kind });
  }
  return readKeys(context.database, organizationId);
}

/** Generates one more key. Earlier keys stay valid until they are revoked, so a merchant can change keys without a gap. */
export async function generateKey(
  { database, service }: WriteContext,
  organization_id: string,
  { environment, kind }: KeyKind,
): Promise<ApiKeyRow> {
  const { last } = await database
    .selectFrom("api_keys")
    .select((eb) => eb.fn.coalesce(eb.fn.max<number>("number"), eb.val(0)).as("last"))
    .where("organization_id", "=", organization_id)
    .executeTakeFirstOrThrow();
  const key = service.ids.apiKey(kind === "secret" ? "sk" : "pk", environment);
  const row: ApiKeyRow = { key, organization_id, environment, kind, number: last + 1 };
  await database.insertInto("api_keys").values(row).execute();
  return row;
}

/** Generates a key and revokes the earlier keys of its kind and environment. */
export async function regenerateKey(
  context: WriteContext,
  organizationId: string,
  { environment, kind }: KeyKind,
): Promise<ApiKeyRow> {
  await context.database
    .deleteFrom("api_keys")
    .where("organization_id", "=", organizationId)
    .where("environment", "=", environment)
    .where("kind", "=", kind)
    .execute();
  return generateKey(context, organizationId, { environment, kind });
}

/** Deletes the key, because the service treats a revoked key as an unknown one. @throws ApiError `not_found` */
export async function revokeKey({ database }: WriteContext, organizationId: string, key: string): Promise<void> {
  const deleted = await database
    .deleteFrom("api_keys")
    .where("organization_id", "=", organizationId)
    .where("key", "=", key)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notFound("API key");
}

/** The keys of an organization, newest first. */
export function listKeys(database: SandboxDatabase, organizationId: string): Promise<ApiKeyRow[]> {
  return database
    .selectFrom("api_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("number", "desc")
    .execute();
}

/** The newest key of each kind. */
export async function readKeys(database: SandboxDatabase, organizationId: string): Promise<Keys> {
  const found = await listKeys(database, organizationId);
  const newestKey = (environment: Environment, kind: ApiKeyRow["kind"]) =>
    found.find((row) => row.environment === environment && row.kind === kind)?.key ?? "";
  return {
    test: { secret: newestKey("test", "secret"), publishable: newestKey("test", "publishable") },
    live: { secret: newestKey("live", "secret"), publishable: newestKey("live", "publishable") },
  };
}
