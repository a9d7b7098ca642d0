import { validationFailed } from "../domain/api-error.ts";
import type { Settings } from "../domain/settings.ts";

/** The reasons that the setting `refundReason: "refused"` accepts. */
const REFUND_REASONS: readonly string[] = ["requested_by_customer", "duplicate", "fraudulent"];

type ReasonSettings = Pick<Settings, "refundReason" | "refundReasonLength">;

/** @throws ApiError `validation_failed` when the setting `refundReason` refuses free text */
export function assertAcceptedReason(reason: string | undefined, { refundReason }: ReasonSettings): void {
  if (refundReason !== "refused" || reason === undefined || REFUND_REASONS.includes(reason)) return;
  throw validationFailed({ reason: [`must be one of ${REFUND_REASONS.join(", ")}`] });
}

/** The reason as the service keeps it, for its reads and events. Null when there is none. */
export function keptReason(reason: string | undefined, settings: ReasonSettings): string | null {
  const { refundReason, refundReasonLength } = settings;
  if (reason === undefined || refundReason === "dropped") return null;
  if (refundReason === "replaced") return "requested_by_customer";
  const text = refundReason === "uppercased" ? reason.toUpperCase() : reason;
  // Counted in characters, so that none is cut in half.
  return [...text].slice(0, refundReasonLength).join("");
}
