import { randomBytes } from "node:crypto";
import type { Answer } from "../../api/answer.ts";
import { pageHeaders } from "../../page/document.ts";
import { pickLanguage } from "../../page/language.ts";
import type { PageRequest } from "../../page/visit.ts";
import { readOrganization } from "../../payments/organizations.ts";
import { notFound, Refusal } from "../../service/refusal.ts";
import { type Change, changeState, type Service } from "../../service/service.ts";
import type { Rows } from "../../storage/open-store.ts";
import { approveInvite, cancelInvite, openInvite, readInvite, requestedIn, submitInvite } from "../invites.ts";
import { memberOf, openAccount } from "../members.ts";
import { defaultCapabilities, readOperator } from "../operators.ts";
import type { InviteRow, OperatorRow } from "../tables.ts";
import { allowPage, type Choice, type Enrollment, endedPage, lostInvitePage, whoPage } from "./enrollment-page.ts";
import { type EnrollmentWords, enrollmentWords } from "./words.ts";

/** Where the member who was invited answers, before the token. */
export const enrollmentPath = "/network/enroll";

const choicesShown = 200;

/** Answers the link of an invite. Never throws: what goes wrong becomes a page. */
export async function answerEnrollment(service: Service, request: PageRequest): Promise<Answer> {
  const nonce = randomBytes(16).toString("base64url");
  const chosen = request.query.get("lang");
  const words = enrollmentWords[pickLanguage(chosen, request.headers["accept-language"])];
  try {
    const token = request.path.slice(1);
    if (!["GET", "HEAD", "POST"].includes(request.method)) throw notFound("Page");
    const invite = await changeState(service, async (change) =>
      openInvite(change, await readInvite(change, "token", token)),
    );
    const operator = await readOperator(service.store.rows, invite.operator_id);
    const enrollment: Enrollment = {
      words,
      operator: (await readOrganization(service.store.rows, operator.organization_id)).name,
      requested: requestedIn(invite) ?? defaultCapabilities(operator),
      address: `${enrollmentPath}/${token}${chosen === null ? "" : `?lang=${words.language}`}`,
      nonce,
    };
    if (request.method !== "POST") return await showInvite(service, enrollment, { invite, operator }, null);
    const problem = await answerInvite(service, invite, request.form, enrollment);
    if (problem !== null) return await showInvite(service, enrollment, { invite, operator }, problem);
    return { status: 303, headers: { ...pageHeaders(nonce), Location: enrollment.address }, body: "" };
  } catch (error) {
    const lost = error instanceof Refusal && error.code === "not_found";
    if (!lost && error instanceof Error) process.emitWarning(error);
    return lostInvitePage(words, nonce, lost ? 404 : 500);
  }
}

type Invited = { invite: InviteRow; operator: OperatorRow };

async function showInvite(
  { store: { rows } }: Service,
  enrollment: Enrollment,
  { invite, operator }: Invited,
  problem: string | null,
): Promise<Answer> {
  const { status } = invite;
  if (status === "created" || status === "opened") return whoPage(enrollment, await choicesOf(rows, operator), problem);
  const member = invite.membership_id === null ? null : await memberOf(rows, invite.membership_id);
  if (status !== "submitted") return endedPage(enrollment, status, member?.account ?? null);
  const { name } = await readOrganization(rows, member?.organization_id ?? "");
  return allowPage(enrollment, name);
}

/** Null, or what the member has to do differently. An answer that comes too late changes nothing. */
async function answerInvite(
  service: Service,
  { invite_id }: InviteRow,
  form: URLSearchParams,
  { words, operator }: Enrollment,
): Promise<string | null> {
  try {
    await changeState(service, async (change) => {
      const invite = await readInvite(change, "invite_id", invite_id);
      const step = steps[form.get("step") ?? ""];
      if (step === undefined) throw notFound("Page");
      await step(change, invite, form.get("organization") ?? "");
    });
    return null;
  } catch (error) {
    if (form.get("step") === "submit") return problemWith(error, words, operator);
    if (error instanceof Refusal && error.code === "conflict") return null;
    throw error;
  }
}

const steps: Record<string, (change: Change, invite: InviteRow, organizationId: string) => Promise<unknown>> = {
  async submit(change, invite, organizationId) {
    const { organization_id } = await readOrganization(change.rows, organizationId);
    return submitInvite(change, invite, await openAccount(change, organization_id));
  },
  accept: (change, invite) => approveInvite(change, invite),
  refuse: (change, invite) => cancelInvite(change, invite),
};

function problemWith(error: unknown, words: EnrollmentWords, operator: string): string {
  if (!(error instanceof Refusal)) throw error;
  return error.code === "conflict" ? words.whoConnected(operator) : words.whoMissing;
}

/** Everybody but the Operator itself. */
async function choicesOf(rows: Rows, { organization_id }: OperatorRow): Promise<readonly Choice[]> {
  return rows
    .selectFrom("organizations")
    .select(["organization_id", "name"])
    .where("organization_id", "!=", organization_id)
    .orderBy("created_at")
    .limit(choicesShown)
    .execute();
}
