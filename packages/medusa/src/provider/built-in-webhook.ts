import type { ProviderWebhookPayload, WebhookActionResult } from "@medusajs/framework/types";
import { parseEvent } from "@tillkit/client/webhooks";
import { decimalText, receiveWebhook } from "@tillkit/core";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { authorize } from "./authorize.ts";

/**
 * Medusa's built-in webhook route, `/hooks/payment/tillkit_tillkit`, for stores that registered it earlier. The delivery is
 * stored and processed like any other. Medusa has answered 200 before this code runs, whatever the result, so our own route
 * is the better choice. The returned action depends on what the service reports now and names the full amount of the session.
 */
export async function builtInWebhook(
  runtime: CheckoutRuntime,
  { rawData, headers }: ProviderWebhookPayload["payload"],
): Promise<WebhookActionResult> {
  const bytes = typeof rawData === "string" ? Buffer.from(rawData) : rawData;
  const signature = headers["x-service-signature"];
  const incoming = { endpointId: runtime.options.endpointId, bytes, signature: textOf(signature) };
  const { status, code } = await receiveWebhook(runtime.engine, incoming);
  // The service has been told 200, so nothing but the log can say that its webhooks are refused.
  if (status === 401) runtime.refusedWebhooks.record({ endpointId: incoming.endpointId, code, bytes });
  if (status !== 200) return { action: "not_supported" };
  runtime.workTimer.wake();
  const sessionId = parseEvent(bytes)?.sessionId;
  const payment = sessionId === undefined ? null : await runtime.ledger.find({ sessionId });
  if (payment?.ref.storeId !== runtime.options.storeId) return { action: "not_supported" };
  const answer = await authorize(runtime, payment);
  if (answer.status !== "captured") return { action: "not_supported" };
  return { action: "captured", data: { session_id: payment.attempt, amount: Number(decimalText(payment.amountDue)) } };
}

function textOf(header: unknown): string | readonly string[] | undefined {
  if (typeof header === "string") return header;
  return Array.isArray(header) ? header.map(String) : undefined;
}
