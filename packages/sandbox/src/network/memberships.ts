import { conflict, notFound } from "../domain/api-error.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { MemberRow, MembershipRow, MembershipStatus, OperatorRow } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { changeGrants, type GrantChange, grantRequested } from "./capabilities.ts";
import { defaultCapabilities } from "./operators.ts";

/** Statuses before the first activation. In these statuses capabilities are requested, but not granted. */
const notYetActivated: readonly MembershipStatus[] = ["invited", "pending_member_acceptance", "pending_review"];

type Parties = { operator: OperatorRow; member: MemberRow };

/**
 * Connects an Operator and a member. A terminated membership is opened again.
 * @throws ApiError `conflict`
 */
export async function openMembership(
  context: WriteContext,
  { operator, member }: Parties,
  status: MembershipStatus,
  requestedCapabilities: GrantChange = defaultCapabilities(operator),
): Promise<MembershipRow> {
  if (operator.organization_id === member.organization_id) {
    const { operator_id, organization_id } = operator;
    throw conflict("An Operator cannot be its own member", { operator_id, organization_id });
  }
  const existing = await context.database
    .selectFrom("memberships")
    .selectAll()
    .where("operator_id", "=", operator.operator_id)
    .where("member_id", "=", member.member_id)
    .executeTakeFirst();
  if (existing !== undefined && existing.status !== "terminated") {
    const { membership_id, status } = existing;
    throw conflict(`This Operator and this member are connected already: ${status}`, { membership_id, status });
  }
  const row: MembershipRow = {
    membership_id: existing?.membership_id ?? context.service.ids.uuid(),
    operator_id: operator.operator_id,
    member_id: member.member_id,
    status,
    created_at: existing?.created_at ?? context.now,
    updated_at: context.now,
  };
  await context.database.replaceInto("memberships").values(row).execute();
  await context.database.deleteFrom("capability_grants").where("membership_id", "=", row.membership_id).execute();
  await changeGrants(context.database, row.membership_id, requestedCapabilities, grantStateFor(status));
  return row;
}

/**
 * Activation grants the requested capabilities and completes the invite of the membership.
 * @throws ApiError `not_found`
 */
export async function updateMembership(
  context: WriteContext,
  membershipId: string,
  { status, capabilities = {} }: { status?: MembershipStatus | undefined; capabilities?: GrantChange | undefined },
): Promise<MembershipRow> {
  const membership = await readMembership(context.database, membershipId);
  const next: MembershipRow = { ...membership, status: status ?? membership.status, updated_at: context.now };
  await context.database.updateTable("memberships").set(next).where("membership_id", "=", membershipId).execute();
  if (status === "active") {
    await grantRequested(context.database, membershipId);
    await completeInviteOf(context, membershipId);
  }
  await changeGrants(context.database, membershipId, capabilities, grantStateFor(next.status));
  return next;
}

/** Oldest first. */
export function listMemberships(database: SandboxDatabase): Promise<MembershipRow[]> {
  return database.selectFrom("memberships").selectAll().orderBy("created_at").execute();
}

/** @throws ApiError `not_found` */
export async function readMembership(database: SandboxDatabase, membershipId: string): Promise<MembershipRow> {
  const row = await database
    .selectFrom("memberships")
    .selectAll()
    .where("membership_id", "=", membershipId)
    .executeTakeFirst();
  if (row === undefined) throw notFound("Membership");
  return row;
}

async function completeInviteOf({ database, now }: WriteContext, membershipId: string): Promise<void> {
  await database
    .updateTable("invites")
    .set({ status: "completed", updated_at: now })
    .where("membership_id", "=", membershipId)
    .where("status", "in", ["submitted", "approved"])
    .execute();
}

function grantStateFor(status: MembershipStatus): "requested" | "active" {
  return notYetActivated.includes(status) ? "requested" : "active";
}
