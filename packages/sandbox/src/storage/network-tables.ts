import type { Capability } from "@tillkit/client/endpoints";
import type { Currency } from "../domain/currencies.ts";
import type { Environment } from "../domain/environment.ts";

/** The Network: Operators that act for Member Accounts, and what each Member Account lets each Operator do. */
export type NetworkTables = {
  operators: OperatorRow;
  members: MemberRow;
  memberships: MembershipRow;
  capability_grants: GrantRow;
  invites: InviteRow;
  operator_fees: OperatorFeeRow;
};

/** `active` is the only one that works. */
export const partyStatuses = ["pending", "active", "inactive", "suspended"] as const;
export type PartyStatus = (typeof partyStatuses)[number];

export type OperatorRow = {
  operator_id: string;
  organization_id: string;
  status: PartyStatus;
  /** What an activated membership is granted when nothing was asked for: see `Capabilities`. */
  default_capabilities_json: string;
  /** The rule of the Operator's fee, or null: see `FeeRule`. */
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

/** The service's API, section 19. Only `active` may be used. */
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
  /** Null: the Operator's defaults. */
  requested_capabilities_json: string | null;
  status: InviteStatus;
  /** Set when a member has said who it is. */
  membership_id: string | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
};

/** What an Operator earned with one completed payment; it is recorded, and changes nothing of the payment. */
export type OperatorFeeRow = {
  transaction_id: string;
  operator_id: string;
  membership_id: string;
  environment: Environment;
  amount: number;
  currency_code: Currency;
  /** The rule as it was then. */
  rule_json: string;
  created_at: number;
};

/** Under whose membership something was made; both null: the merchant itself made it. */
export type DelegationColumns = { membership_id: string | null; account: string | null };
