import type { OperationId } from "@tillkit/client/endpoints";
import { listAccounts, readAccountById, readBalances } from "./operations/accounts.ts";
import {
  createCardCharge,
  createMtnCharge,
  createWaveCharge,
  readCardChargeById,
  switchChargeUnavailable,
} from "./operations/charges.ts";
import { createCheckoutSession, readCheckoutSession } from "./operations/checkout-sessions.ts";
import {
  createCustomerRecord,
  listCustomers,
  listCustomerTransactions,
  readCustomerRecord,
  updateCustomerRecord,
} from "./operations/customers.ts";
import {
  createInstantSettlement,
  createPayoutOfBalance,
  createRequestForPayment,
} from "./operations/money-movements.ts";
import type { Operation } from "./operations/operation.ts";
import { listOrganizations, listProviders, readMerchant, readOrganizationById } from "./operations/organizations.ts";
import { createRefundOfTransaction, listRefunds, readRefundById } from "./operations/refunds.ts";
import { listTransactions, readTransactionById } from "./operations/transactions.ts";
import { listWebhookLogs, readDeliveryLogById, retryWebhookLog, testWebhook } from "./operations/webhook-deliveries.ts";
import { createWebhook, listWebhooks, readWebhook, removeWebhook, updateWebhook } from "./operations/webhooks.ts";

/** The operation behind each row of the endpoint table, by operation id. */
export const operations: Record<OperationId, Operation> = {
  CheckoutSessionsController_create: createCheckoutSession,
  CheckoutSessionsController_findOne: readCheckoutSession,
  ChargesController_card: createCardCharge,
  ChargesController_wave: createWaveCharge,
  ChargesController_mtn: createMtnCharge,
  ChargesController_switch: switchChargeUnavailable,
  ChargesController_findCard: readCardChargeById,
  PaymentRequestsController_create: createRequestForPayment,
  RefundsController_create: createRefundOfTransaction,
  RefundsController_findAll: listRefunds,
  RefundsController_findOne: readRefundById,
  PayoutsController_create: createPayoutOfBalance,
  SettlementsController_instant: createInstantSettlement,
  TransactionsController_findAll: listTransactions,
  TransactionsController_findOne: readTransactionById,
  CustomersController_create: createCustomerRecord,
  CustomersController_findAll: listCustomers,
  CustomersController_findOne: readCustomerRecord,
  CustomersController_update: updateCustomerRecord,
  CustomersController_findTransactions: listCustomerTransactions,
  AccountsController_findBalance: readBalances,
  AccountsController_findAll: listAccounts,
  AccountsController_findOne: readAccountById,
  OrganizationsController_findAll: listOrganizations,
  OrganizationsController_findOne: readOrganizationById,
  MerchantsController_findOne: readMerchant,
  ProvidersController_findAll: listProviders,
  WebhooksController_create: createWebhook,
  WebhooksController_findAll: listWebhooks,
  WebhooksController_findOne: readWebhook,
  WebhooksController_update: updateWebhook,
  WebhooksController_remove: removeWebhook,
  WebhooksController_test: testWebhook,
  WebhooksController_findLogs: listWebhookLogs,
  WebhooksController_retryLog: retryWebhookLog,
  WebhookDeliveryLogsController_findOne: readDeliveryLogById,
};
