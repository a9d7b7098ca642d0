import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../domain/api-error.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { ApiKeyRow, OrganizationRow } from "../storage/organization-tables.ts";
import { runStatement } from "../storage/statements.ts";
import type { Caller } from "./operations/operation.ts";

const selectOwnerByKey = "select * from api_keys join organizations using (organization_id) where key = ?";

/**
 * Finds the merchant and the environment of the API key.
 * @throws ApiError `unauthorized`, `api_access_suspended`
 */
export async function authenticate(database: SandboxDatabase, headers: IncomingHttpHeaders): Promise<Caller> {
  const key = readApiKey(headers);
  if (key === null) throw new ApiError("unauthorized", "Missing API key");
  const [found] = await runStatement<ApiKeyRow & OrganizationRow>(database, selectOwnerByKey, [key]);
  if (found === undefined) throw new ApiError("unauthorized", "Invalid API key");
  const { environment, kind, key: _, number: __, ...organization } = found;
  if (organization.status === "suspended") throw new ApiError("api_access_suspended", "API access is suspended");
  return { organization, environment, kind, key };
}

/** `X-API-Key` wins over `x-service-api-key`, and both win over `Authorization: Bearer`. */
function readApiKey(headers: IncomingHttpHeaders): string | null {
  const ownHeader = firstHeader(headers["x-api-key"]) ?? firstHeader(headers["x-service-api-key"]);
  if (ownHeader !== undefined) return ownHeader;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}

function firstHeader(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  return value === "" ? undefined : value;
}
