import type { IncomingHttpHeaders } from "node:http";
import type { Owner } from "../payments/sessions.ts";
import { Refusal } from "../service/refusal.ts";
import type { Rows } from "../storage/open-store.ts";
import type { ApiKeyRow } from "../storage/tables.ts";

/** Who calls: the key decides merchant and environment. */
export type Caller = Owner & { key: string; kind: ApiKeyRow["kind"] };

/** @throws Refusal `unauthorized`, `api_access_suspended` */
export async function authenticate(rows: Rows, headers: IncomingHttpHeaders): Promise<Caller> {
  const key = keyIn(headers);
  if (key === null) throw new Refusal("unauthorized", "Missing API key");
  const found = await rows
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.organization_id", "api_keys.organization_id")
    .selectAll()
    .where("key", "=", key)
    .executeTakeFirst();
  if (found === undefined) throw new Refusal("unauthorized", "Invalid API key");
  const { environment, kind, key: _, ...organization } = found;
  if (organization.status === "suspended") throw new Refusal("api_access_suspended", "API access is suspended");
  return { organization, environment, kind, key };
}

/** `X-API-Key` goes before `x-service-api-key`, which goes before `Authorization: Bearer`. */
function keyIn(headers: IncomingHttpHeaders): string | null {
  const named = one(headers["x-api-key"]) ?? one(headers["x-service-api-key"]);
  if (named !== undefined) return named;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}

function one(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  return value === "" ? undefined : value;
}
