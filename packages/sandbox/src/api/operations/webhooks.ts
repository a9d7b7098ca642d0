import { webhookEndpointRequestSchema, webhookEndpointUpdateSchema } from "@tillkit/client/schemas";
import { validate } from "../../http/validate.ts";
import { assertDeliveryUrl } from "../../webhooks/delivery-url.ts";
import {
  createEndpoint,
  deleteEndpoint,
  endpointJson,
  readEndpoint,
  updateEndpoint,
} from "../../webhooks/endpoints.ts";
import { type Operation, readOperation, writeOperation } from "./operation.ts";

/** POST /webhooks: only this response shows the secret */
export const postWebhook: Operation = writeOperation({
  async validate({ service, body }) {
    const request = validate(webhookEndpointRequestSchema, body);
    await assertDeliveryUrl(service, request.url);
    return request;
  },
  async perform({ caller }, request, context) {
    return { status: 201, body: endpointJson(await createEndpoint(context, caller, request), "secret") };
  },
});

/** GET /webhooks: a bare array */
export const listWebhooks: Operation = readOperation(async ({ caller }, database) => {
  const endpoints = await database
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "=", caller.organization.organization_id)
    .where("environment", "=", caller.environment)
    .orderBy("seq", "desc")
    .execute();
  return { status: 200, body: endpoints.map((endpoint) => endpointJson(endpoint)) };
});

/** GET /webhooks/{id} */
export const getWebhook: Operation = readOperation(async ({ caller, params }, database) => ({
  status: 200,
  body: endpointJson(await readEndpoint(database, params.id ?? "", caller)),
}));

/** PATCH /webhooks/{id}: with `rotate_secret`, only this response shows the new secret */
export const patchWebhook: Operation = writeOperation({
  async validate({ service, body }) {
    const update = validate(webhookEndpointUpdateSchema, body === undefined ? {} : body);
    await assertDeliveryUrl(service, update.url);
    return update;
  },
  async perform({ caller, params }, update, context) {
    const endpoint = await readEndpoint(context.database, params.id ?? "", caller);
    const updated = await updateEndpoint(context, endpoint, update);
    return { status: 200, body: endpointJson(updated, update.rotate_secret === true ? "secret" : "no-secret") };
  },
});

/** DELETE /webhooks/{id}: deliveries that were not sent yet are dropped */
export const deleteWebhook: Operation = writeOperation({
  validate: () => null,
  async perform({ caller, params }, _, context) {
    await deleteEndpoint(context, await readEndpoint(context.database, params.id ?? "", caller));
    return { status: 204, body: null };
  },
});
