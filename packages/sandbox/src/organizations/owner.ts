import type { Environment } from "../domain/environment.ts";
import type { DelegationColumns } from "../storage/network-tables.ts";
import type { OrganizationRow } from "../storage/organization-tables.ts";

/** A request with `Service-Account`: an Operator, which is a company that sells for many merchants, acts for one of them. */
export type Delegation = {
  operator: OrganizationRow;
  account: string;
  membershipId: string;
  /** `all` with the capability `transaction.read`; `own` shows only the resources that this Operator created. */
  visibility: "own" | "all";
};

/** The columns that record the delegation of a request in the rows that it creates. */
export function delegationColumns({ delegation }: Owner): DelegationColumns {
  return { membership_id: delegation?.membershipId ?? null, account: delegation?.account ?? null };
}

/** The delegation columns of a row, to copy them to another row, as from a session to its transaction. */
export function copyDelegation({ membership_id, account }: DelegationColumns): DelegationColumns {
  return { membership_id, account };
}

/** The `network` part of the metadata of a customer that an Operator creates. Updates cannot remove it. */
export function networkMetadata({ delegation }: Owner): { network?: Record<string, string> } {
  if (delegation === undefined) return {};
  const { operator, membershipId, account } = delegation;
  return { network: { operator_organization_id: operator.organization_id, membership_id: membershipId, account } };
}

/** The field `network` of a resource that an Operator created. A resource that the merchant created has no such field. */
export function networkField({ membership_id, account }: DelegationColumns): { network?: Record<string, string> } {
  if (membership_id === null || account === null) return {};
  return { network: { account, membership_id } };
}

/** The owner of the resources that a request creates and reads. With `delegation`, an Operator acts for this owner. */
export type Owner = { organization: OrganizationRow; environment: Environment; delegation?: Delegation };

/** The merchant alone: an Operator can name each resource of the merchant, also those that it is not allowed to read. */
export function withoutDelegation({ organization, environment }: Owner): Owner {
  return { organization, environment };
}

type Owned = { organization_id: string; environment: Environment; membership_id?: string | null };

export function belongsTo(row: Owned, { organization, environment, delegation }: Owner): boolean {
  if (row.organization_id !== organization.organization_id || row.environment !== environment) return false;
  return delegation?.visibility !== "own" || row.membership_id === delegation.membershipId;
}
