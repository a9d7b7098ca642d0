import { notFound } from "../domain/api-error.ts";
import { createOrganization } from "../organizations/organizations.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { MemberRow, PartyStatus } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { Branding } from "./branding.ts";

export type MemberInput = { status?: PartyStatus | undefined; branding?: Branding | undefined };

/** Creates an organization with its own keys and a public account id. Operators can be allowed to act for it. */
export async function createMember(context: WriteContext, { name, ...input }: MemberInput & { name: string }) {
  const { organization } = await createOrganization(context, name);
  return openAccount(context, organization.organization_id, input);
}

/** Creates the Member Account of an organization, or returns the account that it already has. */
export async function openAccount(
  context: WriteContext,
  organizationId: string,
  { status = "active", branding = {} }: MemberInput = {},
): Promise<MemberRow> {
  const known = await context.database
    .selectFrom("members")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (known !== undefined) return known;
  const row: MemberRow = {
    member_id: context.service.ids.uuid(),
    organization_id: organizationId,
    account: context.service.ids.accountId(),
    status,
    branding_json: JSON.stringify(branding),
    created_at: context.now,
  };
  await context.database.insertInto("members").values(row).execute();
  return row;
}

/** Omitted fields keep their values. @throws ApiError `not_found` */
export async function updateMember(
  { database }: Pick<WriteContext, "database">,
  memberId: string,
  { status, branding }: MemberInput,
): Promise<MemberRow> {
  const member = await readMember(database, memberId);
  const next: MemberRow = {
    ...member,
    status: status ?? member.status,
    branding_json: branding === undefined ? member.branding_json : JSON.stringify(branding),
  };
  await database.updateTable("members").set(next).where("member_id", "=", member.member_id).execute();
  return next;
}

/** By UUID or by `acct_…`. @throws ApiError `not_found` */
async function readMember(database: SandboxDatabase, id: string): Promise<MemberRow> {
  const members = database.selectFrom("members").selectAll();
  const row = id.startsWith("acct_")
    ? await members.where("account", "=", id).executeTakeFirst()
    : await members.where("member_id", "=", id.toLowerCase()).executeTakeFirst();
  if (row === undefined) throw notFound("Member");
  return row;
}

/** Oldest first. */
export function listMembers(database: SandboxDatabase): Promise<MemberRow[]> {
  return database.selectFrom("members").selectAll().orderBy("created_at").execute();
}

/** A member is a business with its account. A membership lets one Operator act for one member: this is its member. */
export async function readMemberByMembership(database: SandboxDatabase, membershipId: string): Promise<MemberRow> {
  return database
    .selectFrom("memberships")
    .innerJoin("members", "members.member_id", "memberships.member_id")
    .selectAll("members")
    .where("membership_id", "=", membershipId)
    .executeTakeFirstOrThrow();
}

/** @throws ApiError `not_found` */
export async function readMemberByAccount(database: SandboxDatabase, account: string): Promise<MemberRow> {
  const row = await database.selectFrom("members").selectAll().where("account", "=", account).executeTakeFirst();
  if (row === undefined) throw notFound("Member Account");
  return row;
}
