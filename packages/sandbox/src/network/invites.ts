import { limits } from "../limits.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { Capabilities } from "./capabilities.ts";
import { openMembership, readMembership, updateMembership } from "./memberships.ts";
import { readOperator } from "./operators.ts";
import type { InviteRow, InviteState, MemberRow, MembershipRow } from "./tables.ts";

/**
 * An Operator invites: `created`. The member opens the link: `opened`; says who it is: `submitted`; allows what is asked
 * for: `approved`, and the membership waits for review. Its activation makes the invite `completed`.
 */
export async function createInvite(
  change: Change,
  operatorId: string,
  requested: Capabilities | undefined,
): Promise<InviteRow> {
  const operator = await readOperator(change.rows, operatorId);
  const row: InviteRow = {
    invite_id: change.service.ids.uuid(),
    token: change.service.ids.token(),
    operator_id: operator.operator_id,
    requested_capabilities_json: requested === undefined ? null : JSON.stringify(requested),
    status: "created",
    membership_id: null,
    expires_at: change.now + limits.inviteMs,
    created_at: change.now,
    updated_at: change.now,
  };
  await change.rows.insertInto("invites").values(row).execute();
  return row;
}

/** @throws Refusal `not_found` */
export async function readInvite(
  { rows, now }: Pick<Change, "rows" | "now">,
  by: "invite_id" | "token",
  value: string,
): Promise<InviteRow> {
  const row = await rows.selectFrom("invites").selectAll().where(by, "=", value).executeTakeFirst();
  if (row === undefined) throw notFound("Invite");
  return atTime(row, now);
}

/** Oldest first. */
export async function listInvites(rows: Rows, now: number): Promise<readonly InviteRow[]> {
  const found = await rows.selectFrom("invites").selectAll().orderBy("created_at").execute();
  return found.map((invite) => atTime(invite, now));
}

/** The link was opened for the first time. */
export async function openInvite(change: Change, invite: InviteRow): Promise<InviteRow> {
  return invite.status === "created" ? moveInvite(change, invite, { status: "opened" }) : invite;
}

/**
 * A member says that the invite is for it.
 * @throws Refusal `conflict`
 */
export async function submitInvite(change: Change, invite: InviteRow, member: MemberRow): Promise<InviteRow> {
  refuseUnless(invite, ["created", "opened"]);
  const operator = await readOperator(change.rows, invite.operator_id);
  const requested = requestedIn(invite);
  const { membership_id } = await openMembership(
    change,
    { operator, member },
    "pending_member_acceptance",
    ...(requested === null ? [] : [requested]),
  );
  return moveInvite(change, invite, { status: "submitted", membership_id });
}

/**
 * The member allows what the Operator asks for: now the membership waits for review.
 * @throws Refusal `conflict`
 */
export async function approveInvite(change: Change, invite: InviteRow): Promise<MembershipRow> {
  const membershipId = submittedMembership(invite);
  await moveInvite(change, invite, { status: "approved" });
  return updateMembership(change, membershipId, { status: "pending_review" });
}

/**
 * The member wants no connection, or the Operator takes the invite back.
 * @throws Refusal `conflict`
 */
export async function cancelInvite(change: Change, invite: InviteRow): Promise<InviteRow> {
  refuseUnless(invite, open);
  if (invite.membership_id !== null) await updateMembership(change, invite.membership_id, { status: "terminated" });
  return moveInvite(change, invite, { status: "cancelled" });
}

/**
 * Everything that a member does with an invite, at once.
 * @throws Refusal `conflict`
 */
export async function completeInvite(change: Change, invite: InviteRow, member: MemberRow): Promise<MembershipRow> {
  if (invite.status !== "submitted") return approveInvite(change, await submitInvite(change, invite, member));
  const { member_id } = await readMembership(change.rows, submittedMembership(invite));
  if (member_id !== member.member_id) throw new Refusal("conflict", "Another member has submitted this invite");
  return approveInvite(change, invite);
}

/** What the membership is to be granted; null: the Operator's defaults. */
export function requestedIn(invite: InviteRow): Capabilities | null {
  return invite.requested_capabilities_json === null ? null : JSON.parse(invite.requested_capabilities_json);
}

const open: readonly InviteState[] = ["created", "opened", "submitted"];

/** An invite that nobody answered in time is expired, without anything having to happen. */
function atTime(invite: InviteRow, now: number): InviteRow {
  return invite.expires_at <= now && open.includes(invite.status) ? { ...invite, status: "expired" } : invite;
}

async function moveInvite({ rows, now }: Change, invite: InviteRow, to: Partial<InviteRow>): Promise<InviteRow> {
  const next = { ...invite, ...to, updated_at: now };
  await rows.updateTable("invites").set(next).where("invite_id", "=", invite.invite_id).execute();
  return next;
}

function submittedMembership(invite: InviteRow): string {
  refuseUnless(invite, ["submitted"]);
  return invite.membership_id ?? "";
}

function refuseUnless(invite: InviteRow, states: readonly InviteState[]): void {
  if (!states.includes(invite.status)) throw new Refusal("conflict", `The invite is ${invite.status}`);
}
