import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { byFullPages, callList, callOne, type ListCall, type SendOperation } from "../call/operation.ts";
import {
  type DeliveryLog,
  type DeliveryResult,
  parseDeliveryLog,
  parseDeliveryResult,
} from "../models/delivery-log.ts";
import { parseWebhookEndpoint, type ServiceWebhookEndpoint } from "../models/webhook-endpoint.ts";
import type { DeliveryLogQuery, WebhookEndpointRequest, WebhookEndpointUpdate } from "../requests/webhook-endpoint.ts";

export type Webhooks = {
  /** POST /webhooks. Only this response holds `data.secret`. Never repeated: the service ignores an Idempotency-Key here. */
  create(body: WebhookEndpointRequest, options?: PlainCallOptions): Promise<ServiceResponse<ServiceWebhookEndpoint>>;
  /** GET /webhooks; all endpoints of the key's environment. */
  list(options?: PlainCallOptions): ListCall<ServiceWebhookEndpoint>;
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<ServiceWebhookEndpoint>>;
  /** PATCH /webhooks/{id}; with `rotate_secret`, `data.secret` is the new secret. */
  update(
    id: string,
    body: WebhookEndpointUpdate,
    options?: PlainCallOptions,
  ): Promise<ServiceResponse<ServiceWebhookEndpoint>>;
  /** DELETE /webhooks/{id} */
  delete(id: string, options?: PlainCallOptions): Promise<ServiceResponse<{ readonly deleted: true }>>;
  /** POST /webhooks/{id}/test. Fails with `bad_request` when the receiver responds with another status than 2xx. */
  test(id: string, options?: PlainCallOptions): Promise<ServiceResponse<DeliveryResult>>;
  /** GET /webhooks/{id}/logs, newest first: one log per attempt. */
  logs(id: string, query?: DeliveryLogQuery, options?: PlainCallOptions): ListCall<DeliveryLog>;
  /** POST /webhooks/{webhook_id}/logs/{log_id}/retry sends the stored bytes of a failed attempt again. */
  retryLog(id: string, logId: string, options?: PlainCallOptions): Promise<ServiceResponse<DeliveryResult>>;
};

export type DeliveryLogs = {
  /** GET /webhook-delivery-logs/{id} */
  read(id: string, options?: PlainCallOptions): Promise<ServiceResponse<DeliveryLog>>;
};

/** The service's default for a page of delivery logs. */
const LOGS_PER_PAGE = 25;

export function webhooks(send: SendOperation): Webhooks {
  return {
    create: (body, options) => callOne(send, "WebhooksController_create", parseWebhookEndpoint, { body }, options),
    list: (options) => callList(send, "WebhooksController_findAll", parseWebhookEndpoint, {}, options),
    read: (id, options) =>
      callOne(send, "WebhooksController_findOne", parseWebhookEndpoint, { params: { id } }, options),
    update: (id, body, options) =>
      callOne(send, "WebhooksController_update", parseWebhookEndpoint, { params: { id }, body }, options),
    delete: (id, options) =>
      callOne(send, "WebhooksController_remove", () => ({ deleted: true }) as const, { params: { id } }, options),
    test: (id, options) => callOne(send, "WebhooksController_test", parseDeliveryResult, { params: { id } }, options),
    logs: (id, query = {}, options) =>
      callList(
        send,
        "WebhooksController_findLogs",
        parseDeliveryLog,
        { params: { id }, query },
        options,
        byFullPages(LOGS_PER_PAGE),
      ),
    retryLog: (id, logId, options) =>
      callOne(
        send,
        "WebhooksController_retryLog",
        parseDeliveryResult,
        { params: { webhook_id: id, log_id: logId } },
        options,
      ),
  };
}

export function deliveryLogs(send: SendOperation): DeliveryLogs {
  return {
    read: (id, options) =>
      callOne(send, "WebhookDeliveryLogsController_findOne", parseDeliveryLog, { params: { id } }, options),
  };
}
