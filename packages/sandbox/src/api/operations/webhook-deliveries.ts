import { deliveryLogQuerySchema } from "@tillkit/client/schemas";
import { notFound } from "../../domain/api-error.ts";
import { limits } from "../../domain/limits.ts";
import { readQuery } from "../../http/read-query.ts";
import { deliveryLogJson, readDeliveryLog } from "../../webhooks/delivery-logs.ts";
import { readEndpoint } from "../../webhooks/endpoints.ts";
import { retryDelivery, sendTestEvent } from "../../webhooks/manual-delivery.ts";
import { externalOperation, type Operation, readOperation } from "./operation.ts";

/** POST /webhooks/{id}/test */
export const postWebhookTest: Operation = externalOperation(async ({ service, caller, params }) => {
  const endpoint = await readEndpoint(service.store.database, params.id ?? "", caller);
  const log = await sendTestEvent(service, endpoint);
  const body = {
    success: true,
    status: log.response_status,
    response: log.response_body,
    delivered_url: endpoint.url,
    log_id: log.log_id,
  };
  return { status: 200, body };
});

/** GET /webhooks/{id}/logs: a bare array, newest first */
export const listDeliveryLogs: Operation = readOperation(async ({ caller, params, query }, database) => {
  const filters = readQuery(deliveryLogQuerySchema, query);
  const { webhook_id } = await readEndpoint(database, params.id ?? "", caller);
  const { limit = limits.logPageSize, offset = 0, success, failed } = filters;
  const logs = await database
    .selectFrom("delivery_logs")
    .selectAll()
    .where("webhook_id", "=", webhook_id)
    .where("success", "in", selectedOutcomes(success, failed))
    .orderBy("seq", "desc")
    .limit(Math.min(limit, limits.pageSizeMax))
    .offset(offset)
    .execute();
  return { status: 200, body: logs.map(deliveryLogJson) };
});

type Flag = "true" | "false" | undefined;

/**
 * The values of the column `success` (1 or 0) that the two flags select. Each flag decides about its own logs: `success` about
 * successful deliveries, `failed` about failed ones. `true` selects them and `false` does not. If a flag is absent, its logs are
 * selected unless the other flag is `true`: `success=true` alone selects only successes.
 */
function selectedOutcomes(success: Flag, failed: Flag): readonly number[] {
  const isSelected = (ownFlag: Flag, otherFlag: Flag) =>
    ownFlag === "true" || (ownFlag === undefined && otherFlag !== "true");
  const outcomes: number[] = [];
  if (isSelected(success, failed)) outcomes.push(1);
  if (isSelected(failed, success)) outcomes.push(0);
  return outcomes;
}

/** POST /webhooks/{webhook_id}/logs/{log_id}/retry */
export const postDeliveryRetry: Operation = externalOperation(async ({ service, caller, params }) => {
  const { database } = service.store;
  const endpoint = await readEndpoint(database, params.webhook_id ?? "", caller);
  const log = await readDeliveryLog(database, params.log_id ?? "", caller);
  if (log.webhook_id !== endpoint.webhook_id) throw notFound("Delivery log");
  const { response_status, event_id } = await retryDelivery(service, endpoint, log);
  return { status: 200, body: { delivered: true, response_status, event_id } };
});

/** GET /webhook-delivery-logs/{id} */
export const getDeliveryLog: Operation = readOperation(async ({ caller, params }, database) => ({
  status: 200,
  body: deliveryLogJson(await readDeliveryLog(database, params.id ?? "", caller)),
}));
