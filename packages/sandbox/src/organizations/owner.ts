import type { Environment } from "../domain/environment.ts";
import type { DelegationColumns } from "../storage/network-tables.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

/** A request with `Service-Account` acts for a member; its caller's organization is then the member's. */
export type Delegation = {
  operator: OrganizationRow;
  account: string;
  membershipId: string;
  /** `transaction.read` sees all of the member's, `transaction.read_own` what this Operator made. */
  visibility: "own" | "all";
};

/** What everything that a request makes remembers of how it came about. */
export function delegationColumns({ delegation }: Owner): DelegationColumns {
  return { membership_id: delegation?.membershipId ?? null, account: delegation?.account ?? null };
}

/** The membership of a row, for another row that is made because of it. */
export function copyDelegation({ membership_id, account }: DelegationColumns): DelegationColumns {
  return { membership_id, account };
}

/** What is recorded among the metadata of a customer that an Operator creates; no later update removes it. */
export function networkMetadata({ delegation }: Owner): { network?: Record<string, string> } {
  if (delegation === undefined) return {};
  const { operator, membershipId, account } = delegation;
  return { network: { operator_organization_id: operator.organization_id, membership_id: membershipId, account } };
}

/** `network` of a resource that an Operator made; nothing for one that the merchant made itself. */
export function networkJson({ membership_id, account }: DelegationColumns): { network?: Record<string, string> } {
  if (membership_id === null || account === null) return {};
  return { network: { account, membership_id } };
}

/** Whose things a request makes and sees: a merchant's, or with `delegation` a member's, by an Operator. */
export type Owner = { organization: OrganizationRow; environment: Environment; delegation?: Delegation };

type Owned = { organization_id: string; environment: Environment; membership_id?: string | null };

export function belongsTo(row: Owned, { organization, environment, delegation }: Owner): boolean {
  if (row.organization_id !== organization.organization_id || row.environment !== environment) return false;
  return delegation?.visibility !== "own" || row.membership_id === delegation.membershipId;
}
