import type { ServiceClient } from "@tillkit/client";
import { codeOf } from "../domain/checkout-error.ts";
import type { DeliveryAttempt, EndpointTest } from "../ports/endpoint-reading.ts";
import { findWebhookEndpoint, toAttempt } from "./read-webhook-endpoint.ts";

type Webhooks = Pick<ServiceClient, "webhooks">;
type TestQuery = { readonly id: string; readonly deadlineMs: number };

/**
 * Lets the service send a test event to the endpoint with this address. Null: the key's environment has no endpoint with this address.
 * @throws ServiceError
 */
export async function testEndpointAt(
  client: ServiceClient,
  { url, deadlineMs }: { readonly url: string; readonly deadlineMs: number },
): Promise<EndpointTest | null> {
  const endpoint = await findWebhookEndpoint(client, { url, deadlineMs });
  return endpoint === null ? null : await testWebhookEndpoint(client, { id: endpoint.id, deadlineMs });
}

/**
 * Lets the service send a test event to an endpoint (POST /webhooks/{id}/test), and reads in its delivery log what the receiver answered.
 * The service signs with its own secret, so a secret that differs here is found. `id`: `wh_…`.
 * @throws ServiceError
 */
export async function testWebhookEndpoint(client: Webhooks, { id, deadlineMs }: TestQuery): Promise<EndpointTest> {
  const isDelivered = await sendTest(client, { id, deadlineMs });
  return { isDelivered, attempt: await newestTestAttempt(client, { id, deadlineMs }) };
}

/** The service answers `bad_request` when the receiver did not answer with a 2xx. */
async function sendTest({ webhooks }: Webhooks, { id, deadlineMs }: TestQuery): Promise<boolean> {
  try {
    await webhooks.test(id, { deadlineMs });
    return true;
  } catch (error) {
    if (codeOf(error) === "bad_request") return false;
    throw error;
  }
}

/** Events of payments may have been delivered since the test. */
const NEWEST_LOGS = 10;

async function newestTestAttempt(
  { webhooks }: Webhooks,
  { id, deadlineMs }: TestQuery,
): Promise<DeliveryAttempt | null> {
  const logs = await webhooks.logs(id, { limit: NEWEST_LOGS }, { deadlineMs }).toArray({ limit: NEWEST_LOGS });
  const log = logs.find(({ eventType }) => eventType === "test.webhook");
  return log === undefined ? null : toAttempt(log);
}
