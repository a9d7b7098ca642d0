import type { IncomingHttpHeaders } from "node:http";
import type { Owner } from "../payments/sessions.ts";
import { Refusal } from "../service/refusal.ts";
import type { Rows } from "../storage/open-store.ts";
import { runStatement } from "../storage/statements.ts";
import type { ApiKeyRow, OrganizationRow } from "../storage/tables.ts";

const ownerOfKey = "select * from api_keys join organizations using (organization_id) where key = ?";

/** Who calls: the key decides merchant and environment. */
export type Caller = Owner & { key: string; kind: ApiKeyRow["kind"] };

/** @throws Refusal `unauthorized`, `api_access_suspended` */
export async function authenticate(rows: Rows, headers: IncomingHttpHeaders): Promise<Caller> {
  const key = keyIn(headers);
  if (key === null) throw new Refusal("unauthorized", "Missing API key");
  const [found] = await runStatement<ApiKeyRow & OrganizationRow>(rows, ownerOfKey, [key]);
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
