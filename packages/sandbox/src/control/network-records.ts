import { isoTime } from "../domain/clock.ts";
import { enrollmentPath } from "../enrollment/handle-enrollment-request.ts";
import type { Branding } from "../network/branding.ts";
import { type Capabilities, type Grants, readGrants } from "../network/capabilities.ts";
import type { FeeRule } from "../network/fee-rule.ts";
import { requestedCapabilities } from "../network/invites.ts";
import { readMemberByMembership } from "../network/members.ts";
import { defaultCapabilities } from "../network/operators.ts";
import { type Keys, readKeys } from "../organizations/api-keys.ts";
import { readOrganization } from "../organizations/organizations.ts";
import type { Service } from "../runtime/service.ts";
import type { InviteRow, MemberRow, MembershipRow, OperatorFeeRow, OperatorRow } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";

type Merchant = { organization_id: string; merchant_id: string; name: string; keys: Keys };

/** An Operator of the service's network: a merchant who onboards other merchants as members and takes fees. */
export type OperatorRecord = Merchant & {
  operator_id: string;
  status: string;
  default_capabilities: Capabilities;
  fee: FeeRule | null;
};

export type MemberRecord = Merchant & { member_id: string; account: string; status: string; branding: Branding };

export type MembershipRecord = {
  membership_id: string;
  operator_id: string;
  account: string;
  status: string;
  /** Every capability that was ever requested or granted, with its state. */
  capabilities: Grants;
  created_at: string;
  updated_at: string;
};

export type InviteRecord = {
  invite_id: string;
  operator_id: string;
  /** The URL of the page where the member accepts. */
  link: string;
  status: string;
  requested_capabilities: Capabilities | null;
  membership_id: string | null;
  expires_at: string;
  created_at: string;
};

/** The fee of an Operator for one payment, with the rule that applied at the time of the payment. */
export type OperatorFeeRecord = Omit<OperatorFeeRow, "rule_json" | "created_at"> & {
  rule: FeeRule;
  created_at: string;
};

export async function operatorRecord(database: SandboxDatabase, operator: OperatorRow): Promise<OperatorRecord> {
  return {
    operator_id: operator.operator_id,
    ...(await merchantOf(database, operator.organization_id)),
    status: operator.status,
    default_capabilities: defaultCapabilities(operator),
    fee: operator.fee_json === null ? null : JSON.parse(operator.fee_json),
  };
}

export async function memberRecord(database: SandboxDatabase, member: MemberRow): Promise<MemberRecord> {
  return {
    member_id: member.member_id,
    account: member.account,
    ...(await merchantOf(database, member.organization_id)),
    status: member.status,
    branding: JSON.parse(member.branding_json),
  };
}

export async function membershipRecord(
  database: SandboxDatabase,
  membership: MembershipRow,
): Promise<MembershipRecord> {
  const { account } = await readMemberByMembership(database, membership.membership_id);
  return {
    membership_id: membership.membership_id,
    operator_id: membership.operator_id,
    account,
    status: membership.status,
    capabilities: await readGrants(database, membership.membership_id),
    created_at: isoTime(membership.created_at),
    updated_at: isoTime(membership.updated_at),
  };
}

export function inviteRecord({ addresses }: Service, invite: InviteRow): InviteRecord {
  return {
    invite_id: invite.invite_id,
    operator_id: invite.operator_id,
    link: `${addresses.baseUrl}${enrollmentPath}/${invite.token}`,
    status: invite.status,
    requested_capabilities: requestedCapabilities(invite),
    membership_id: invite.membership_id,
    expires_at: isoTime(invite.expires_at),
    created_at: isoTime(invite.created_at),
  };
}

export function operatorFeeRecord({ rule_json, created_at, ...fee }: OperatorFeeRow): OperatorFeeRecord {
  return { ...fee, rule: JSON.parse(rule_json), created_at: isoTime(created_at) };
}

async function merchantOf(database: SandboxDatabase, organizationId: string): Promise<Merchant> {
  const { organization_id, merchant_id, name } = await readOrganization(database, organizationId);
  return { organization_id, merchant_id, name, keys: await readKeys(database, organizationId) };
}
