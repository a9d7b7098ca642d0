import { notFound, Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import { changeGrants, type GrantChange, grantRequested } from "./capabilities.ts";
import { defaultCapabilities } from "./operators.ts";
import type { MemberRow, MembershipRow, MembershipState, OperatorRow } from "./tables.ts";

/** Before it was activated for the first time: what a member lets an Operator do is only asked for. */
const waiting: readonly MembershipState[] = ["invited", "pending_member_acceptance", "pending_review"];

type Parties = { operator: OperatorRow; member: MemberRow };

/**
 * Connects an Operator and a member. A terminated membership begins anew.
 * @throws Refusal `conflict`
 */
export async function openMembership(
  change: Change,
  { operator, member }: Parties,
  status: MembershipState,
  wanted: GrantChange = defaultCapabilities(operator),
): Promise<MembershipRow> {
  if (operator.organization_id === member.organization_id) {
    throw new Refusal("conflict", "An Operator cannot be a member of its own");
  }
  const before = await change.rows
    .selectFrom("memberships")
    .selectAll()
    .where("operator_id", "=", operator.operator_id)
    .where("member_id", "=", member.member_id)
    .executeTakeFirst();
  if (before !== undefined && before.status !== "terminated") {
    throw new Refusal("conflict", `This Operator and this member are connected already: ${before.status}`);
  }
  const row: MembershipRow = {
    membership_id: before?.membership_id ?? change.service.ids.uuid(),
    operator_id: operator.operator_id,
    member_id: member.member_id,
    status,
    created_at: before?.created_at ?? change.now,
    updated_at: change.now,
  };
  await change.rows.replaceInto("memberships").values(row).execute();
  await change.rows.deleteFrom("capability_grants").where("membership_id", "=", row.membership_id).execute();
  await changeGrants(change.rows, row.membership_id, wanted, listedAs(status));
  return row;
}

/**
 * Activation grants what was asked for, and completes the invite that led here.
 * @throws Refusal `not_found`
 */
export async function updateMembership(
  change: Change,
  membershipId: string,
  { status, capabilities = {} }: { status?: MembershipState | undefined; capabilities?: GrantChange | undefined },
): Promise<MembershipRow> {
  const membership = await readMembership(change.rows, membershipId);
  const next: MembershipRow = { ...membership, status: status ?? membership.status, updated_at: change.now };
  await change.rows.updateTable("memberships").set(next).where("membership_id", "=", membershipId).execute();
  if (status === "active") {
    await grantRequested(change.rows, membershipId);
    await completeInviteOf(change, membershipId);
  }
  await changeGrants(change.rows, membershipId, capabilities, listedAs(next.status));
  return next;
}

/** Oldest first. */
export function listMemberships(rows: Rows): Promise<MembershipRow[]> {
  return rows.selectFrom("memberships").selectAll().orderBy("created_at").execute();
}

/** @throws Refusal `not_found` */
export async function readMembership(rows: Rows, membershipId: string): Promise<MembershipRow> {
  const row = await rows
    .selectFrom("memberships")
    .selectAll()
    .where("membership_id", "=", membershipId)
    .executeTakeFirst();
  if (row === undefined) throw notFound("Membership");
  return row;
}

async function completeInviteOf({ rows, now }: Change, membershipId: string): Promise<void> {
  await rows
    .updateTable("invites")
    .set({ status: "completed", updated_at: now })
    .where("membership_id", "=", membershipId)
    .where("status", "in", ["submitted", "approved"])
    .execute();
}

function listedAs(status: MembershipState): "requested" | "active" {
  return waiting.includes(status) ? "requested" : "active";
}
