import {
  booleanField,
  isJsonObject,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  stringListField,
  timeField,
} from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/** A webhook endpoint as an answer showed it; undefined = not said. */
export type ServiceWebhookEndpoint = {
  /** `wh_…` */
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly authorizedEvents?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  /** `whsec_…`, only in the answer that created or rotated it: store it, it is never shown again. */
  readonly secret?: string | undefined;
};

/** Null when the answer is no endpoint. Also reads `{ data: record, secret }`. */
export function readWebhookEndpoint(answer: unknown): ServiceWebhookEndpoint | null {
  const found = unwrapObject(answer, ["webhook_id", "id", "url"]);
  if (found === null) return null;
  const metadata = objectField(found, "metadata");
  return {
    id: stringField(found, "id", "webhook_id"),
    url: stringField(found, "url"),
    isActive: booleanField(found, "is_active"),
    authorizedEvents: stringListField(found, "authorized_events"),
    description: stringField(found, "description") ?? (metadata && stringField(metadata, "description")),
    metadata,
    environment: stringField(found, "environment"),
    createdAt: timeField(found, "created_at"),
    secret: stringField(found, "secret") ?? (isJsonObject(answer) ? stringField(answer, "secret") : undefined),
  };
}
