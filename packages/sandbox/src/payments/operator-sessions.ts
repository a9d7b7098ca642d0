import { notFound } from "../domain/api-error.ts";
import { findOperatorOfMembership } from "../network/operators.ts";
import { belongsTo, type Owner } from "../organizations/owner.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { SessionRow } from "../storage/payment-tables.ts";
import { readSession } from "./sessions.ts";

/**
 * Reads a session of the caller, or a session that the caller created for a member. An Operator reads such a session without
 * `Service-Account`.
 * @throws ApiError `not_found`
 */
export async function readSessionAsCreator(
  database: SandboxDatabase,
  sessionId: string,
  owner: Owner,
): Promise<SessionRow> {
  const session = await readSession(database, sessionId);
  if (belongsTo(session, owner) || (await isCreator(database, session, owner))) return session;
  throw notFound("Checkout session");
}

async function isCreator(
  database: SandboxDatabase,
  session: SessionRow,
  { organization, environment }: Owner,
): Promise<boolean> {
  if (session.membership_id === null || session.environment !== environment) return false;
  const operator = await findOperatorOfMembership(database, session.membership_id);
  return operator?.organization_id === organization.organization_id;
}
