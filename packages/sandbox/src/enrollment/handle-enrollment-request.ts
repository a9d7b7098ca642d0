import { randomBytes } from "node:crypto";
import { ApiError, notFound } from "../domain/api-error.ts";
import type { HttpResponse } from "../http/http-response.ts";
import {
  approveInvite,
  cancelInvite,
  openInvite,
  readInvite,
  requestedCapabilities,
  submitInvite,
} from "../network/invites.ts";
import { openAccount, readMemberByMembership } from "../network/members.ts";
import { defaultCapabilities, readOperator } from "../network/operators.ts";
import { readOrganization } from "../organizations/organizations.ts";
import { pageHeaders } from "../pages/document.ts";
import { pickLanguage } from "../pages/language.ts";
import type { PageRequest } from "../pages/page-request.ts";
import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { InviteRow, OperatorRow } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import {
  approvalPage,
  type Business,
  chooseBusinessPage,
  type Enrollment,
  invitationEndedPage,
  invitationErrorPage,
} from "./enrollment-page.ts";
import { type EnrollmentTexts, enrollmentTexts } from "./enrollment-texts.ts";

/** The base path of invite links. The rest of the path is the token of the invite. */
export const enrollmentPath = "/network/enroll";

/** How many businesses the list of the first page offers. */
const maxBusinesses = 200;

/** Handles the link of an invite. Never throws: every error becomes a page. */
export async function handleEnrollmentRequest(service: Service, request: PageRequest): Promise<HttpResponse> {
  const nonce = randomBytes(16).toString("base64url");
  const chosenLanguage = request.query.get("lang");
  const texts = enrollmentTexts[pickLanguage(chosenLanguage, request.headers["accept-language"])];
  try {
    const token = request.path.slice(1);
    if (!["GET", "HEAD", "POST"].includes(request.method)) throw notFound("Page");
    const invite = await inDatabaseTransaction(service, async (context) =>
      openInvite(context, await readInvite(context, "token", token)),
    );
    const operator = await readOperator(service.store.database, invite.operator_id);
    const enrollment: Enrollment = {
      texts,
      operator: (await readOrganization(service.store.database, operator.organization_id)).name,
      requested: requestedCapabilities(invite) ?? defaultCapabilities(operator),
      formUrl: `${enrollmentPath}/${token}${chosenLanguage === null ? "" : `?lang=${texts.language}`}`,
      nonce,
    };
    if (request.method !== "POST") return await showInvite(service, enrollment, { invite, operator }, null);
    const problem = await applyStep(service, invite, request.form, enrollment);
    if (problem !== null) return await showInvite(service, enrollment, { invite, operator }, problem);
    return { status: 303, headers: { ...pageHeaders(nonce), Location: enrollment.formUrl }, body: "" };
  } catch (error) {
    const isNotFound = error instanceof ApiError && error.code === "not_found";
    if (!isNotFound && error instanceof Error) process.emitWarning(error);
    return invitationErrorPage(texts, nonce, isNotFound ? 404 : 500);
  }
}

type InviteAndOperator = { invite: InviteRow; operator: OperatorRow };

async function showInvite(
  { store: { database } }: Service,
  enrollment: Enrollment,
  { invite, operator }: InviteAndOperator,
  problem: string | null,
): Promise<HttpResponse> {
  const { status } = invite;
  if (status === "created" || status === "opened")
    return chooseBusinessPage(enrollment, await listBusinesses(database, operator), problem);
  const member = invite.membership_id === null ? null : await readMemberByMembership(database, invite.membership_id);
  if (status !== "submitted") return invitationEndedPage(enrollment, status, member?.account ?? null);
  const { name } = await readOrganization(database, member?.organization_id ?? "");
  return approvalPage(enrollment, name);
}

/**
 * Returns null, or the problem to show. Choosing a business that is already connected is a problem. Accepting or refusing an invite
 * that is already closed changes nothing and is no problem: the page then shows how the invite ended.
 */
async function applyStep(
  service: Service,
  { invite_id }: InviteRow,
  form: URLSearchParams,
  { texts, operator }: Enrollment,
): Promise<string | null> {
  try {
    await inDatabaseTransaction(service, async (context) => {
      const invite = await readInvite(context, "invite_id", invite_id);
      const step = formSteps[form.get("step") ?? ""];
      if (step === undefined) throw notFound("Page");
      await step(context, invite, form.get("organization") ?? "");
    });
    return null;
  } catch (error) {
    if (form.get("step") === "submit") return describeSubmitError(error, texts, operator);
    if (error instanceof ApiError && error.code === "conflict") return null;
    throw error;
  }
}

/** What the buttons of the pages do, by the value of the form field `step`. */
const formSteps: Record<
  string,
  (context: WriteContext, invite: InviteRow, organizationId: string) => Promise<unknown>
> = {
  async submit(context, invite, organizationId) {
    const { organization_id } = await readOrganization(context.database, organizationId);
    return submitInvite(context, invite, await openAccount(context, organization_id));
  },
  accept: (context, invite) => approveInvite(context, invite),
  refuse: (context, invite) => cancelInvite(context, invite),
};

function describeSubmitError(error: unknown, texts: EnrollmentTexts, operator: string): string {
  if (!(error instanceof ApiError)) throw error;
  return error.code === "conflict" ? texts.businessConnected(operator) : texts.businessMissing;
}

/** Every organization except the Operator itself. */
async function listBusinesses(
  database: SandboxDatabase,
  { organization_id }: OperatorRow,
): Promise<readonly Business[]> {
  return database
    .selectFrom("organizations")
    .select(["organization_id", "name"])
    .where("organization_id", "!=", organization_id)
    .orderBy("created_at")
    .limit(maxBusinesses)
    .execute();
}
