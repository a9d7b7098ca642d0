import { z } from "zod";
import type { OperationId } from "../api/endpoints.ts";
import { accountSchema, balanceQuerySchema, balanceSchema } from "./account.ts";
import {
  cardChargeRequestSchema,
  cardChargeSchema,
  mtnChargeRequestSchema,
  mtnChargeSchema,
  waveChargeRequestSchema,
  waveChargeSchema,
} from "./charge.ts";
import { checkoutSessionRequestSchema, checkoutSessionSchema, paymentRequiredSchema } from "./checkout-session.ts";
import { customerQuerySchema, customerRequestSchema, customerSchema, customerUpdateSchema } from "./customer.ts";
import { deliveryLogQuerySchema, deliveryLogSchema, deliveryRetrySchema, webhookTestSchema } from "./delivery-log.ts";
import { listSchema } from "./list.ts";
import {
  instantSettlementRequestSchema,
  instantSettlementSchema,
  paymentRequestRequestSchema,
  paymentRequestSchema,
  payoutRequestSchema,
  payoutSchema,
} from "./money-movement.ts";
import { merchantSchema, organizationSchema, providerQuerySchema, providerSchema } from "./organization.ts";
import { refundCreatedSchema, refundQuerySchema, refundRequestSchema, refundSchema } from "./refund.ts";
import { transactionQuerySchema, transactionSchema } from "./transaction.ts";
import {
  webhookEndpointRequestSchema,
  webhookEndpointSchema,
  webhookEndpointUpdateSchema,
} from "./webhook-endpoint.ts";

/** The schemas of one row of the endpoint table. */
export type OperationSchemas = {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** The body of a successful response; null for a response without a body. */
  readonly response: z.ZodType | null;
};

/** The schemas of every row of the endpoint table. */
export const operationSchemas = {
  CheckoutSessionsController_create: {
    body: checkoutSessionRequestSchema,
    response: z.union([checkoutSessionSchema, paymentRequiredSchema]),
  },
  CheckoutSessionsController_findOne: { response: checkoutSessionSchema },
  ChargesController_card: { body: cardChargeRequestSchema, response: cardChargeSchema },
  ChargesController_wave: { body: waveChargeRequestSchema, response: waveChargeSchema },
  ChargesController_mtn: { body: mtnChargeRequestSchema, response: mtnChargeSchema },
  ChargesController_switch: { response: null },
  ChargesController_findCard: { response: cardChargeSchema },
  PaymentRequestsController_create: { body: paymentRequestRequestSchema, response: paymentRequestSchema },
  RefundsController_create: { body: refundRequestSchema, response: refundCreatedSchema },
  RefundsController_findAll: { query: refundQuerySchema, response: listSchema(refundSchema) },
  RefundsController_findOne: { response: refundSchema },
  PayoutsController_create: { body: payoutRequestSchema, response: payoutSchema },
  SettlementsController_instant: { body: instantSettlementRequestSchema, response: instantSettlementSchema },
  TransactionsController_findAll: { query: transactionQuerySchema, response: listSchema(transactionSchema) },
  TransactionsController_findOne: { response: transactionSchema },
  CustomersController_create: { body: customerRequestSchema, response: customerSchema },
  CustomersController_findAll: { query: customerQuerySchema, response: listSchema(customerSchema) },
  CustomersController_findOne: { response: customerSchema },
  CustomersController_update: { body: customerUpdateSchema, response: customerSchema },
  CustomersController_findTransactions: { response: transactionSchema.array() },
  AccountsController_findBalance: { query: balanceQuerySchema, response: balanceSchema.array() },
  AccountsController_findAll: { response: accountSchema.array() },
  AccountsController_findOne: { response: accountSchema },
  OrganizationsController_findAll: { response: organizationSchema.array() },
  OrganizationsController_findOne: { response: organizationSchema },
  MerchantsController_findOne: { response: merchantSchema },
  ProvidersController_findAll: { query: providerQuerySchema, response: providerSchema.array() },
  WebhooksController_create: { body: webhookEndpointRequestSchema, response: webhookEndpointSchema },
  WebhooksController_findAll: { response: webhookEndpointSchema.array() },
  WebhooksController_findOne: { response: webhookEndpointSchema },
  WebhooksController_update: { body: webhookEndpointUpdateSchema, response: webhookEndpointSchema },
  WebhooksController_remove: { response: null },
  WebhooksController_test: { response: webhookTestSchema },
  WebhooksController_findLogs: { query: deliveryLogQuerySchema, response: deliveryLogSchema.array() },
  WebhooksController_retryLog: { response: deliveryRetrySchema },
  WebhookDeliveryLogsController_findOne: { response: deliveryLogSchema },
} as const satisfies Record<OperationId, OperationSchemas>;
