import type { PlainCallOptions, ServiceResponse } from "../call/call-options.ts";
import { byFullPages, type ListCall } from "../call/list-call.ts";
import { callList, callOne, type SendOperation } from "../call/operation.ts";
import { type DeliveryLog, type DeliveryResult, readDeliveryLog, readDeliveryResult } from "../models/delivery-log.ts";
import { readWebhookEndpoint, type ServiceWebhookEndpoint } from "../models/webhook-endpoint.ts";
import type { WebhookEndpointRequest, WebhookEndpointUpdate } from "../schemas/webhook-endpoint.ts";

export type Webhooks = {
  /** POST /webhooks. `data.secret` is shown in this answer only. Never repeated: the service takes no key here. */
  create(body: WebhookEndpointRequest, call?: PlainCallOptions): Promise<ServiceResponse<ServiceWebhookEndpoint>>;
  /** GET /webhooks; all endpoints of the key's environment. */
  list(call?: PlainCallOptions): ListCall<ServiceWebhookEndpoint>;
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<ServiceWebhookEndpoint>>;
  /** PATCH /webhooks/{id}; with `rotate_secret`, `data.secret` is the new one. */
  update(
    id: string,
    body: WebhookEndpointUpdate,
    call?: PlainCallOptions,
  ): Promise<ServiceResponse<ServiceWebhookEndpoint>>;
  /** DELETE /webhooks/{id} */
  delete(id: string, call?: PlainCallOptions): Promise<ServiceResponse<{ readonly deleted: true }>>;
  /** POST /webhooks/{id}/test; `bad_request` when the receiver did not answer 2xx. */
  test(id: string, call?: PlainCallOptions): Promise<ServiceResponse<DeliveryResult>>;
  /** GET /webhooks/{id}/logs, newest first: one row an attempt. */
  logs(id: string, query?: DeliveryLogQuery, call?: PlainCallOptions): ListCall<DeliveryLog>;
  /** Sends the stored bytes of a failed attempt again. */
  retryLog(id: string, logId: string, call?: PlainCallOptions): Promise<ServiceResponse<DeliveryResult>>;
};

export type DeliveryLogQuery = {
  /** At most 100; the service's default is 25. */
  readonly limit?: number;
  readonly offset?: number;
  readonly success?: boolean;
  readonly failed?: boolean;
};

export type DeliveryLogs = {
  /** GET /webhook-delivery-logs/{id} */
  read(id: string, call?: PlainCallOptions): Promise<ServiceResponse<DeliveryLog>>;
};

const LOGS_PER_PAGE = 25;

export function webhooks(send: SendOperation): Webhooks {
  return {
    create: (body, call) => callOne(send, "WebhooksController_create", readWebhookEndpoint, { body }, call),
    list: (call) => callList(send, "WebhooksController_findAll", readWebhookEndpoint, {}, call),
    read: (id, call) => callOne(send, "WebhooksController_findOne", readWebhookEndpoint, { params: { id } }, call),
    update: (id, body, call) =>
      callOne(send, "WebhooksController_update", readWebhookEndpoint, { params: { id }, body }, call),
    delete: (id, call) =>
      callOne(send, "WebhooksController_remove", () => ({ deleted: true }) as const, { params: { id } }, call),
    test: (id, call) => callOne(send, "WebhooksController_test", readDeliveryResult, { params: { id } }, call),
    logs: (id, query = {}, call) =>
      callList(
        send,
        "WebhooksController_findLogs",
        readDeliveryLog,
        { params: { id }, query },
        call,
        byFullPages(LOGS_PER_PAGE),
      ),
    retryLog: (id, logId, call) =>
      callOne(
        send,
        "WebhooksController_retryLog",
        readDeliveryResult,
        { params: { webhook_id: id, log_id: logId } },
        call,
      ),
  };
}

export function deliveryLogs(send: SendOperation): DeliveryLogs {
  return {
    read: (id, call) =>
      callOne(send, "WebhookDeliveryLogsController_findOne", readDeliveryLog, { params: { id } }, call),
  };
}
