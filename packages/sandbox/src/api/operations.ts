import type { OperationId } from "@tillkit/client/endpoints";
import { getAccount, getBalances, listAccounts } from "./operations/accounts.ts";
import {
  getCardCharge,
  postCardCharge,
  postMtnCharge,
  postSwitchCharge,
  postWaveCharge,
} from "./operations/charges.ts";
import { getCheckoutSession, postCheckoutSession } from "./operations/checkout-sessions.ts";
import {
  getCustomer,
  listCustomers,
  listCustomerTransactions,
  patchCustomer,
  postCustomer,
} from "./operations/customers.ts";
import { postInstantSettlement, postPaymentRequest, postPayout } from "./operations/money-movements.ts";
import type { Operation } from "./operations/operation.ts";
import { getMerchant, getOrganization, listOrganizations, listProviders } from "./operations/organizations.ts";
import { getRefund, listRefunds, postRefund } from "./operations/refunds.ts";
import { getTransaction, listTransactions } from "./operations/transactions.ts";
import {
  getDeliveryLog,
  listDeliveryLogs,
  postDeliveryRetry,
  postWebhookTest,
} from "./operations/webhook-deliveries.ts";
import { deleteWebhook, getWebhook, listWebhooks, patchWebhook, postWebhook } from "./operations/webhooks.ts";

/** The operation behind each row of the endpoint table, by operation id. */
export const operations: Record<OperationId, Operation> = {
  CheckoutSessionsController_create: postCheckoutSession,
  CheckoutSessionsController_findOne: getCheckoutSession,
  ChargesController_card: postCardCharge,
  ChargesController_wave: postWaveCharge,
  ChargesController_mtn: postMtnCharge,
  ChargesController_switch: postSwitchCharge,
  ChargesController_findCard: getCardCharge,
  PaymentRequestsController_create: postPaymentRequest,
  RefundsController_create: postRefund,
  RefundsController_findAll: listRefunds,
  RefundsController_findOne: getRefund,
  PayoutsController_create: postPayout,
  SettlementsController_instant: postInstantSettlement,
  TransactionsController_findAll: listTransactions,
  TransactionsController_findOne: getTransaction,
  CustomersController_create: postCustomer,
  CustomersController_findAll: listCustomers,
  CustomersController_findOne: getCustomer,
  CustomersController_update: patchCustomer,
  CustomersController_findTransactions: listCustomerTransactions,
  AccountsController_findBalance: getBalances,
  AccountsController_findAll: listAccounts,
  AccountsController_findOne: getAccount,
  OrganizationsController_findAll: listOrganizations,
  OrganizationsController_findOne: getOrganization,
  MerchantsController_findOne: getMerchant,
  ProvidersController_findAll: listProviders,
  WebhooksController_create: postWebhook,
  WebhooksController_findAll: listWebhooks,
  WebhooksController_findOne: getWebhook,
  WebhooksController_update: patchWebhook,
  WebhooksController_remove: deleteWebhook,
  WebhooksController_test: postWebhookTest,
  WebhooksController_findLogs: listDeliveryLogs,
  WebhooksController_retryLog: postDeliveryRetry,
  WebhookDeliveryLogsController_findOne: getDeliveryLog,
};
