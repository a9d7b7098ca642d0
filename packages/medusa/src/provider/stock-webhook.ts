import type { ProviderWebhookPayload, WebhookActionResult } from "@medusajs/framework/types";
import { readEvent } from "@tillkit/client/webhooks";
import { decimalText, receiveWebhook } from "@tillkit/core";
import type { Till } from "../till/open-till.ts";
import { authorize } from "./standing.ts";

/**
 * Medusa's own webhook route, `/hooks/payment/tillkit_tillkit`, for shops that registered it before. The delivery is kept and
 * worked off like any other; by then Medusa has answered 200 to the service, whatever it was, so our own route is the better
 * one. What Medusa is told rests on a reading, and names the whole amount of its session.
 */
export async function stockWebhook(
  till: Till,
  { rawData, headers }: ProviderWebhookPayload["payload"],
): Promise<WebhookActionResult> {
  const bytes = typeof rawData === "string" ? Buffer.from(rawData) : rawData;
  const signature = headers["x-service-signature"];
  const incoming = { endpointId: till.options.endpointId, bytes, signature: textOf(signature) };
  const { status } = await receiveWebhook(till.engine, incoming);
  if (status !== 200) return { action: "not_supported" };
  till.timer.kick();
  const sessionId = readEvent(bytes)?.sessionId;
  const payment = sessionId === undefined ? null : await till.ledger.find({ sessionId });
  if (payment?.ref.storeId !== till.options.storeId) return { action: "not_supported" };
  const answer = await authorize(till, payment);
  if (answer.status !== "captured") return { action: "not_supported" };
  return { action: "captured", data: { session_id: payment.attempt, amount: Number(decimalText(payment.amountDue)) } };
}

function textOf(header: unknown): string | readonly string[] | undefined {
  if (typeof header === "string") return header;
  return Array.isArray(header) ? header.map(String) : undefined;
}
