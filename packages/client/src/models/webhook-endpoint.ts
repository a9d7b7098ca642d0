import {
  booleanField,
  enumField,
  isJsonObject,
  type JsonObject,
  type OpenEnum,
  objectField,
  stringField,
  stringListField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

/** A webhook endpoint as the service returned it. Fields missing from the response are undefined. */
export type ServiceWebhookEndpoint = {
  /** `wh_…` */
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly authorizedEvents?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  /** `whsec_…`. Only the response that creates or rotates the secret contains it: store it then. */
  readonly secret?: string | undefined;
};

/** Also parses `{ data: endpoint, secret }`. Null when the response contains no endpoint. */
export function parseWebhookEndpoint(response: unknown): ServiceWebhookEndpoint | null {
  const fields = unwrapObject(response, ["webhook_id", "id", "url"]);
  if (fields === null) return null;
  const metadata = objectField(fields, "metadata");
  return {
    id: stringField(fields, "id", "webhook_id"),
    url: stringField(fields, "url"),
    isActive: booleanField(fields, "is_active"),
    authorizedEvents: stringListField(fields, "authorized_events"),
    description: stringField(fields, "description") ?? (metadata && stringField(metadata, "description")),
    metadata,
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
    secret: stringField(fields, "secret") ?? (isJsonObject(response) ? stringField(response, "secret") : undefined),
  };
}
