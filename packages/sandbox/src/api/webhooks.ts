import { webhookEndpointRequestSchema, webhookEndpointUpdateSchema } from "@tillkit/client/schemas";
import { createEndpoint, endpointJson, readEndpoint, refusePrivateUrl, updateEndpoint } from "../webhooks/endpoints.ts";
import { type Operation, reading, writing } from "./operation.ts";
import { validated } from "./validated.ts";

/** POST /webhooks: the one answer that shows the secret */
export const createWebhook: Operation = writing({
  async validate({ service, body }) {
    const request = validated(webhookEndpointRequestSchema, body);
    await refusePrivateUrl(service, request.url);
    return request;
  },
  async change({ caller }, request, change) {
    return { status: 201, body: endpointJson(await createEndpoint(change, caller, request), "secret") };
  },
});

/** GET /webhooks: a bare array */
export const listWebhooks: Operation = reading(async ({ caller }, rows) => {
  const endpoints = await rows
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "=", caller.organization.organization_id)
    .where("environment", "=", caller.environment)
    .orderBy("seq", "desc")
    .execute();
  return { status: 200, body: endpoints.map((endpoint) => endpointJson(endpoint)) };
});

/** GET /webhooks/{id} */
export const readWebhook: Operation = reading(async ({ caller, params }, rows) => ({
  status: 200,
  body: endpointJson(await readEndpoint(rows, params.id ?? "", caller)),
}));

/** PATCH /webhooks/{id}: with `rotate_secret`, the answer shows the new secret once */
export const updateWebhook: Operation = writing({
  async validate({ service, body }) {
    const update = validated(webhookEndpointUpdateSchema, body ?? {});
    await refusePrivateUrl(service, update.url);
    return update;
  },
  async change({ caller, params }, update, change) {
    const endpoint = await readEndpoint(change.rows, params.id ?? "", caller);
    const updated = await updateEndpoint(change, endpoint, update);
    return { status: 200, body: endpointJson(updated, update.rotate_secret === true ? "secret" : "no-secret") };
  },
});

/** DELETE /webhooks/{id}: what still waits for it is dropped */
export const removeWebhook: Operation = writing({
  validate: () => null,
  async change({ caller, params }, _, change) {
    const endpoint = await readEndpoint(change.rows, params.id ?? "", caller);
    await change.rows.deleteFrom("webhook_endpoints").where("webhook_id", "=", endpoint.webhook_id).execute();
    return { status: 204, body: null };
  },
});
