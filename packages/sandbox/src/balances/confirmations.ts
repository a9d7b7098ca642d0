import type { Outcome } from "../api/operation.ts";
import { canonicalJson } from "../api/read-json.ts";
import { limits } from "../limits.ts";
import type { Owner } from "../payments/sessions.ts";
import { iso } from "../service/clock.ts";
import { Refusal } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";

/** A token that is wrong, used, or too old. Its answer is not kept: a fresh token may follow under the same Idempotency-Key. */
export class Unconfirmed extends Refusal {
  constructor() {
    super("bad_request", "confirmation_token is invalid or expired");
    this.name = "Unconfirmed";
  }
}

type Movement = {
  owner: Owner;
  kind: "refund" | "payout" | "settlement";
  /** Amount, currency and target: what is shown before, and all that the token is good for. */
  preview: Record<string, unknown>;
  token: string | undefined;
};

/**
 * Deployments that confirm in two steps: the first call, without a token, is answered by a preview and moves nothing.
 * Null: the money moves now.
 * @throws Refusal `bad_request`
 */
export async function previewFirst(change: Change, movement: Movement): Promise<Outcome | null> {
  if (change.service.settings.confirmation === "off") return null;
  const { owner, kind, preview, token } = movement;
  const { organization_id } = owner.organization;
  const binding = canonicalJson([organization_id, owner.environment, kind, preview]);
  await change.rows.deleteFrom("confirmations").where("expires_at", "<=", change.now).execute();
  if (token === undefined) return announce(change, binding, preview);
  const used = await change.rows
    .deleteFrom("confirmations")
    .where("token", "=", token)
    .where("binding", "=", binding)
    .executeTakeFirst();
  if (used.numDeletedRows === 0n) throw new Unconfirmed();
  return null;
}

async function announce(change: Change, binding: string, preview: Record<string, unknown>): Promise<Outcome> {
  const token = change.service.ids.uuid();
  const expires_at = change.now + limits.confirmationMs;
  await change.rows.insertInto("confirmations").values({ token, binding, expires_at }).execute();
  const body = { requires_confirmation: true, confirmation_token: token, expires_at: iso(expires_at), preview };
  return { status: 200, body, passing: true };
}
