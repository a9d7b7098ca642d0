import { notFound } from "../domain/api-error.ts";
import { findOperatorOfMembership } from "../network/operators.ts";
import { belongsTo, type Owner } from "../organizations/owner.ts";
import type { Rows } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/payment-tables.ts";
import { readSession } from "./sessions.ts";

/**
 * Reads a session of the caller, or a session that the caller created for a member. An Operator needs no `Service-Account`
 * for that.
 * @throws ApiError `not_found`
 */
export async function readSessionAsCreator(rows: Rows, sessionId: string, owner: Owner): Promise<SessionRow> {
  const session = await readSession(rows, sessionId);
  if (belongsTo(session, owner) || (await isCreator(rows, session, owner))) return session;
  throw notFound("Checkout session");
}

async function isCreator(rows: Rows, session: SessionRow, { organization, environment }: Owner): Promise<boolean> {
  if (session.membership_id === null || session.environment !== environment) return false;
  const operator = await findOperatorOfMembership(rows, session.membership_id);
  return operator?.organization_id === organization.organization_id;
}
