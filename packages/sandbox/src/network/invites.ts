import { conflict, notFound } from "../domain/api-error.ts";
import { limits } from "../domain/limits.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { InviteRow, InviteStatus, MemberRow, MembershipRow } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { Capabilities } from "./capabilities.ts";
import { openMembership, readMembership, updateMembership } from "./memberships.ts";
import { readOperator } from "./operators.ts";

/**
 * Creates an invite of an Operator. An invite is `created`, then `opened` when the member opens the link, `submitted` when
 * the member has chosen its business, and `approved` when the member has allowed the capabilities. The membership then
 * waits for review. Its activation makes the invite `completed`.
 */
export async function createInvite(
  context: WriteContext,
  operatorId: string,
  requested: Capabilities | undefined,
): Promise<InviteRow> {
  const operator = await readOperator(context.database, operatorId);
  const row: InviteRow = {
    invite_id: context.service.ids.uuid(),
    token: context.service.ids.inviteToken(),
    operator_id: operator.operator_id,
    requested_capabilities_json: requested === undefined ? null : JSON.stringify(requested),
    status: "created",
    membership_id: null,
    expires_at: context.now + limits.inviteMs,
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("invites").values(row).execute();
  return row;
}

/** @throws ApiError `not_found` */
export async function readInvite(
  { database, now }: Pick<WriteContext, "database" | "now">,
  by: "invite_id" | "token",
  value: string,
): Promise<InviteRow> {
  const row = await database.selectFrom("invites").selectAll().where(by, "=", value).executeTakeFirst();
  if (row === undefined) throw notFound("Invite");
  return withExpiry(row, now);
}

/** Oldest first. */
export async function listInvites(database: SandboxDatabase, now: number): Promise<readonly InviteRow[]> {
  const found = await database.selectFrom("invites").selectAll().orderBy("created_at").execute();
  return found.map((invite) => withExpiry(invite, now));
}

/** Records that the link was opened for the first time. */
export async function openInvite(context: WriteContext, invite: InviteRow): Promise<InviteRow> {
  return invite.status === "created" ? transitionInvite(context, invite, { status: "opened" }) : invite;
}

/**
 * Assigns the invite to a member.
 * @throws ApiError `conflict`
 */
export async function submitInvite(context: WriteContext, invite: InviteRow, member: MemberRow): Promise<InviteRow> {
  assertStatus(invite, ["created", "opened"]);
  const operator = await readOperator(context.database, invite.operator_id);
  const { membership_id } = await openMembership(
    context,
    { operator, member },
    "pending_member_acceptance",
    requestedCapabilities(invite) ?? undefined,
  );
  return transitionInvite(context, invite, { status: "submitted", membership_id });
}

/**
 * The member allows the requested capabilities, and the membership waits for review.
 * @throws ApiError `conflict`
 */
export async function approveInvite(context: WriteContext, invite: InviteRow): Promise<MembershipRow> {
  const membershipId = submittedMembershipId(invite);
  await transitionInvite(context, invite, { status: "approved" });
  return updateMembership(context, membershipId, { status: "pending_review" });
}

/**
 * The member refuses the invite, or the Operator withdraws it.
 * @throws ApiError `conflict`
 */
export async function cancelInvite(context: WriteContext, invite: InviteRow): Promise<InviteRow> {
  assertStatus(invite, notYetApproved);
  if (invite.membership_id !== null) await updateMembership(context, invite.membership_id, { status: "terminated" });
  return transitionInvite(context, invite, { status: "cancelled" });
}

/**
 * Submits and approves an invite in one step.
 * @throws ApiError `conflict`
 */
export async function submitAndApproveInvite(
  context: WriteContext,
  invite: InviteRow,
  member: MemberRow,
): Promise<MembershipRow> {
  if (invite.status !== "submitted") return approveInvite(context, await submitInvite(context, invite, member));
  const { member_id, membership_id } = await readMembership(context.database, submittedMembershipId(invite));
  if (member_id !== member.member_id) {
    throw conflict("Another member has submitted this invite", { invite_id: invite.invite_id, membership_id });
  }
  return approveInvite(context, invite);
}

/** The capabilities that the invite requests. Null means the defaults of the Operator. */
export function requestedCapabilities(invite: InviteRow): Capabilities | null {
  return invite.requested_capabilities_json === null ? null : JSON.parse(invite.requested_capabilities_json);
}

const notYetApproved: readonly InviteStatus[] = ["created", "opened", "submitted"];

/** An invite that was not approved by its `expires_at` counts as expired. The row itself does not change. */
function withExpiry(invite: InviteRow, now: number): InviteRow {
  return invite.expires_at <= now && notYetApproved.includes(invite.status) ? { ...invite, status: "expired" } : invite;
}

async function transitionInvite(
  { database, now }: WriteContext,
  invite: InviteRow,
  to: Partial<InviteRow>,
): Promise<InviteRow> {
  const next = { ...invite, ...to, updated_at: now };
  await database.updateTable("invites").set(next).where("invite_id", "=", invite.invite_id).execute();
  return next;
}

function submittedMembershipId(invite: InviteRow): string {
  assertStatus(invite, ["submitted"]);
  return invite.membership_id ?? "";
}

function assertStatus({ invite_id, status }: InviteRow, states: readonly InviteStatus[]): void {
  if (!states.includes(status)) throw conflict(`The invite is ${status}`, { invite_id, status });
}
