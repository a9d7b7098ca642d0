import type { WriteContext } from "../runtime/service.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { emitEvent } from "../webhooks/events.ts";
import { transactionJson } from "./transaction-json.ts";

export function emitPaymentEvent(
  context: WriteContext,
  event: "PAYMENT_CREATED" | "PAYMENT_SUCCEEDED" | "PAYMENT_FAILED",
  transaction: TransactionRow,
): Promise<void> {
  return emitEvent(context, event, transaction, publicData(transactionJson(transaction)));
}

/** Removes the metadata that events do not contain. */
function publicData(transaction: Record<string, unknown>): Record<string, unknown> {
  const { integration_source: _, ...metadata } = transaction.metadata as Record<string, unknown>;
  return { ...transaction, metadata };
}
