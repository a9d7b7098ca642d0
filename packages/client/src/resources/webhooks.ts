import { type Page, unwrapList } from "../answers/unwrap.ts";
import { readWebhookEndpoint, type WebhookEndpoint } from "../answers/webhook-endpoint.ts";
import type { PlainCallOptions, Reply } from "../call/call-options.ts";
import { replyWith, type SendOperation } from "../call/operation.ts";
import type { WebhookEndpointRequest, WebhookEndpointUpdate } from "../schemas/webhook-endpoint.ts";

export type Webhooks = {
  /** POST /webhooks. `data.secret` is shown in this answer only. Never repeated: the service takes no key here. */
  create(body: WebhookEndpointRequest, call?: PlainCallOptions): Promise<Reply<WebhookEndpoint>>;
  /** GET /webhooks; all endpoints of the key's environment. */
  list(call?: PlainCallOptions): Promise<Reply<Page<WebhookEndpoint>>>;
  read(id: string, call?: PlainCallOptions): Promise<Reply<WebhookEndpoint>>;
  /** PATCH /webhooks/{id}; with `rotate_secret`, `data.secret` is the new one. */
  update(id: string, body: WebhookEndpointUpdate, call?: PlainCallOptions): Promise<Reply<WebhookEndpoint>>;
};

const NO_ENDPOINT = "The service's answer holds no webhook endpoint.";

export function webhooks(send: SendOperation): Webhooks {
  return {
    async create(body, call = {}) {
      return replyWith(await send("WebhooksController_create", { body }, call), readWebhookEndpoint, NO_ENDPOINT);
    },
    async list(call = {}) {
      const answer = await send("WebhooksController_findAll", {}, call);
      return replyWith(
        answer,
        (json) => unwrapList(json, readWebhookEndpoint),
        "The service's answer is no list of webhook endpoints.",
      );
    },
    async read(id, call = {}) {
      const answer = await send("WebhooksController_findOne", { params: { id } }, call);
      return replyWith(answer, readWebhookEndpoint, NO_ENDPOINT);
    },
    async update(id, body, call = {}) {
      const answer = await send("WebhooksController_update", { params: { id }, body }, call);
      return replyWith(answer, readWebhookEndpoint, NO_ENDPOINT);
    },
  };
}
