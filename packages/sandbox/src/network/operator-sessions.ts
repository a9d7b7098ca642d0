import { belongsTo, type Owner, readSession } from "../payments/sessions.ts";
import { notFound } from "../service/refusal.ts";
import type { Rows } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/tables.ts";
import { operatorOf } from "./operators.ts";

/**
 * The merchant's own session, or one that it opened for a member: that one an Operator reads without `Service-Account`.
 * @throws Refusal `not_found`
 */
export async function readSessionAsMaker(rows: Rows, sessionId: string, owner: Owner): Promise<SessionRow> {
  const session = await readSession(rows, sessionId);
  if (belongsTo(session, owner) || (await isMaker(rows, session, owner))) return session;
  throw notFound("Checkout session");
}

async function isMaker(rows: Rows, session: SessionRow, { organization, environment }: Owner): Promise<boolean> {
  if (session.membership_id === null || session.environment !== environment) return false;
  const operator = await operatorOf(rows, session.membership_id);
  return operator?.organization_id === organization.organization_id;
}
