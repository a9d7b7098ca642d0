import type { Capability, Endpoint } from "@tillkit/client/endpoints";
import { ApiError } from "../domain/api-error.ts";
import type { Environment } from "../domain/environment.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { Caller } from "./operations/operation.ts";

/**
 * Returns the caller unchanged when the request has no header `Service-Account`. With the header, the caller must be an
 * Operator, and the returned caller stands for the member: the request creates and reads resources of the member.
 *
 * The checks run in the order of the service: endpoint, kind of key, Operator, account, membership, capability.
 * @throws ApiError `bad_request`, `forbidden`, `not_found`
 */
export async function actForMember(
  database: SandboxDatabase,
  caller: Caller,
  account: string | undefined,
  { capabilities }: Endpoint,
): Promise<Caller> {
  if (account === undefined) return caller;
  // If the header were ignored, the request would silently act for the Operator instead of the member.
  if (capabilities === null) throw new ApiError("bad_request", "Service-Account is not supported on this endpoint");
  if (caller.kind !== "secret") throw new ApiError("forbidden", "Network requests require a secret API key");
  const operatorId = await readActiveOperatorId(database, caller);
  const member = await readActiveMember(database, account);
  const membershipId = await readActiveMembershipId(database, operatorId, member.member_id);
  const granted = await readActiveGrants(database, membershipId, caller.environment);
  if (!capabilities.some((capability) => granted.has(capability))) throw forbidden("network_capability_missing");
  return {
    ...caller,
    organization: member.organization,
    delegation: {
      operator: caller.organization,
      account,
      membershipId,
      visibility: granted.has("transaction.read") ? "all" : "own",
    },
  };
}

async function readActiveOperatorId(database: SandboxDatabase, { organization }: Caller): Promise<string> {
  const operator = await database
    .selectFrom("operators")
    .select(["operator_id", "status"])
    .where("organization_id", "=", organization.organization_id)
    .executeTakeFirst();
  if (operator?.status !== "active") throw forbidden("operator_not_active");
  return operator.operator_id;
}

async function readActiveMember(database: SandboxDatabase, account: string) {
  const found = await database
    .selectFrom("members")
    .innerJoin("organizations", "organizations.organization_id", "members.organization_id")
    .selectAll("organizations")
    .select(["members.member_id", "members.status as member_status"])
    .where("account", "=", account)
    .executeTakeFirst();
  if (found === undefined) throw new ApiError("not_found", "network_account_not_found");
  const { member_id, member_status, ...organization } = found;
  if (member_status !== "active" || organization.status !== "active") throw forbidden("network_account_not_active");
  return { member_id, organization };
}

async function readActiveMembershipId(
  database: SandboxDatabase,
  operatorId: string,
  memberId: string,
): Promise<string> {
  const membership = await database
    .selectFrom("memberships")
    .select(["membership_id", "status"])
    .where("operator_id", "=", operatorId)
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  if (membership === undefined) throw forbidden("network_membership_not_found");
  if (membership.status !== "active") throw forbidden("network_membership_not_active");
  return membership.membership_id;
}

/** Grants are separate for test and live. The API key determines the environment. */
async function readActiveGrants(
  database: SandboxDatabase,
  membershipId: string,
  environment: Environment,
): Promise<ReadonlySet<Capability>> {
  const grants = await database
    .selectFrom("capability_grants")
    .select("capability")
    .where("membership_id", "=", membershipId)
    .where("environment", "=", environment)
    .where("state", "=", "active")
    .execute();
  return new Set(grants.map(({ capability }) => capability));
}

function forbidden(message: string): ApiError {
  return new ApiError("forbidden", message);
}
