import { flag, instant, isRow, type Known, type Row, row, text, texts } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

/** A webhook endpoint as an answer showed it; undefined = not said. */
export type WebhookEndpoint = {
  /** `wh_…` */
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly authorizedEvents?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Row | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  /** `whsec_…`, only in the answer that created or rotated it: store it, it is never shown again. */
  readonly secret?: string | undefined;
};

/** Null when the answer is no endpoint. Also reads `{ data: record, secret }`. */
export function readWebhookEndpoint(answer: unknown): WebhookEndpoint | null {
  const found = unwrapOne(answer, ["webhook_id", "id", "url"]);
  if (found === null) return null;
  const metadata = row(found, "metadata");
  return {
    id: text(found, "id", "webhook_id"),
    url: text(found, "url"),
    isActive: flag(found, "is_active"),
    authorizedEvents: texts(found, "authorized_events"),
    description: text(found, "description") ?? (metadata && text(metadata, "description")),
    metadata,
    environment: text(found, "environment"),
    createdAt: instant(found, "created_at"),
    secret: text(found, "secret") ?? (isRow(answer) ? text(answer, "secret") : undefined),
  };
}
