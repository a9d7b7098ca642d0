import type { Capability } from "@tillkit/client/endpoints";
import type { Currency } from "../domain/currencies.ts";
import type { Environment } from "../domain/environment.ts";

/** The Network: Operators act for Member Accounts, as far as the capabilities of their membership allow. */
export type NetworkTables = {
  operators: OperatorRow;
  members: MemberRow;
  memberships: MembershipRow;
  capability_grants: GrantRow;
  invites: InviteRow;
  operator_fees: OperatorFeeRow;
};

/** Only an `active` Operator or member can be used. */
export const partyStatuses = ["pending", "active", "inactive", "suspended"] as const;
export type PartyStatus = (typeof partyStatuses)[number];

export type OperatorRow = {
  operator_id: string;
  organization_id: string;
  status: PartyStatus;
  /** The `Capabilities` of memberships that request no capabilities themselves. */
  default_capabilities_json: string;
  /** The `FeeRule` of the Operator, or null. */
  fee_json: string | null;
  created_at: number;
};

export type MemberRow = {
  member_id: string;
  organization_id: string;
  account: string;
  status: PartyStatus;
  /** See `Branding`. */
  branding_json: string;
  created_at: number;
};

/** Only an `active` membership can be used. */
export const membershipStatuses = [
  "invited",
  "pending_member_acceptance",
  "pending_review",
  "active",
  "restricted",
  "suspended",
  "terminated",
] as const;
export type MembershipStatus = (typeof membershipStatuses)[number];

export type MembershipRow = {
  membership_id: string;
  operator_id: string;
  member_id: string;
  status: MembershipStatus;
  created_at: number;
  updated_at: number;
};

export const grantStates = ["requested", "active", "restricted", "revoked"] as const;
export type GrantState = (typeof grantStates)[number];

export type GrantRow = {
  membership_id: string;
  environment: Environment;
  capability: Capability;
  state: GrantState;
};

export type InviteStatus = "created" | "opened" | "submitted" | "approved" | "completed" | "expired" | "cancelled";

export type InviteRow = {
  invite_id: string;
  token: string;
  operator_id: string;
  /** Null means the defaults of the Operator. */
  requested_capabilities_json: string | null;
  status: InviteStatus;
  /** Set when a member has chosen its business. */
  membership_id: string | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
};

/** The fee of an Operator for one completed payment. It does not change the payment. */
export type OperatorFeeRow = {
  transaction_id: string;
  operator_id: string;
  membership_id: string;
  environment: Environment;
  amount: number;
  currency_code: Currency;
  /** The rule at the time of the payment. */
  rule_json: string;
  created_at: number;
};

/** The membership under which an Operator created a row. Both are null when the merchant created it. */
export type DelegationColumns = { membership_id: string | null; account: string | null };
