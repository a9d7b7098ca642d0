import type { Owner } from "../payments/sessions.ts";
import type { OrganizationRow } from "../storage/tables.ts";
import type { Delegated } from "./tables.ts";

/** A request with `Service-Account` acts for a member; its caller's organization is then the member's. */
export type Delegation = {
  operator: OrganizationRow;
  account: string;
  membershipId: string;
  /** `transaction.read` sees all of the member's, `transaction.read_own` what this Operator made. */
  sees: "own" | "all";
};

/** What everything that a request makes remembers of how it came about. */
export function delegatedBy({ delegation }: Owner): Delegated {
  return { membership_id: delegation?.membershipId ?? null, account: delegation?.account ?? null };
}

/** The membership of a row, for another row that is made because of it. */
export function delegatedLike({ membership_id, account }: Delegated): Delegated {
  return { membership_id, account };
}

/** What is recorded among the metadata of a customer that an Operator creates; no later update removes it. */
export function networkMetadata({ delegation }: Owner): { network?: Record<string, string> } {
  if (delegation === undefined) return {};
  const { operator, membershipId, account } = delegation;
  return { network: { operator_organization_id: operator.organization_id, membership_id: membershipId, account } };
}

/** `network` of a resource that an Operator made; nothing for one that the merchant made itself. */
export function networkJson({ membership_id, account }: Delegated): { network?: Record<string, string> } {
  if (membership_id === null || account === null) return {};
  return { network: { account, membership_id } };
}
