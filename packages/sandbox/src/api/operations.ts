import { createCheckoutSession, listCheckoutSessions, readCheckoutSession } from "./checkout-sessions.ts";
import type { Operation } from "./operation.ts";
import type { OperationId } from "./routes.ts";
import { listTransactions, readTransactionById } from "./transactions.ts";
import { createWebhook, listWebhooks, readWebhook, removeWebhook, updateWebhook } from "./webhooks.ts";

/** What the rows of the endpoint table do, by operation id. */
export const operations: Partial<Record<OperationId, Operation>> = {
  CheckoutSessionsController_create: createCheckoutSession,
  CheckoutSessionsController_findOne: readCheckoutSession,
  CheckoutSessionsController_findAll: listCheckoutSessions,
  TransactionsController_findAll: listTransactions,
  TransactionsController_findOne: readTransactionById,
  WebhooksController_create: createWebhook,
  WebhooksController_findAll: listWebhooks,
  WebhooksController_findOne: readWebhook,
  WebhooksController_update: updateWebhook,
  WebhooksController_remove: removeWebhook,
};
