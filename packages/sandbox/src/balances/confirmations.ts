import { ApiError } from "../domain/api-error.ts";
import { canonicalJson } from "../domain/canonical-json.ts";
import { isoTime } from "../domain/clock.ts";
import { limits } from "../domain/limits.ts";
import type { Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";

/**
 * The token is wrong, used or expired. This error is not stored under the Idempotency-Key, because the caller may repeat
 * the request with a new token.
 */
export class InvalidConfirmationToken extends ApiError {
  constructor() {
    super("bad_request", "confirmation_token is invalid or expired");
    this.name = "InvalidConfirmationToken";
  }
}

/** The response to a call without a token: no money has moved yet. */
type ConfirmationPreview = {
  requires_confirmation: true;
  confirmation_token: string;
  expires_at: string;
  preview: Record<string, unknown>;
};

type MoneyMovement = {
  owner: Owner;
  kind: "refund" | "payout" | "settlement";
  /** Amount, currency and target. The preview shows them, and the token is valid for them only. */
  preview: Record<string, unknown>;
  token: string | undefined;
};

/**
 * Some deployments require two calls: the first call has no token and gets a preview; the second sends the token of the
 * preview. Null means that no preview is needed any more: the caller moves the money.
 * @throws ApiError `bad_request`
 */
export async function previewUnlessConfirmed(
  context: WriteContext,
  movement: MoneyMovement,
): Promise<ConfirmationPreview | null> {
  if (context.service.settings.confirmation === "off") return null;
  const { owner, kind, preview, token } = movement;
  const { organization_id } = owner.organization;
  // A token is valid only for the movement that it was created for.
  const binding = canonicalJson([organization_id, owner.environment, kind, preview]);
  await context.database.deleteFrom("confirmations").where("expires_at", "<=", context.now).execute();
  if (token === undefined) return createPreview(context, binding, preview);
  const deleted = await context.database
    .deleteFrom("confirmations")
    .where("token", "=", token)
    .where("binding", "=", binding)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw new InvalidConfirmationToken();
  return null;
}

async function createPreview(
  context: WriteContext,
  binding: string,
  preview: Record<string, unknown>,
): Promise<ConfirmationPreview> {
  const token = context.service.ids.uuid();
  const expires_at = context.now + limits.confirmationMs;
  await context.database.insertInto("confirmations").values({ token, binding, expires_at }).execute();
  return { requires_confirmation: true, confirmation_token: token, expires_at: isoTime(expires_at), preview };
}
