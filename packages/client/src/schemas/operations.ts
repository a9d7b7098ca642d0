import { z } from "zod";
import type { OperationId } from "../endpoints.ts";
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

/** What goes in and comes out of one row of the endpoint table. */
export type OperationSchemas = {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** Of a successful answer; null where it has no body. */
  readonly answer: z.ZodType | null;
};

/** The schemas of every row of the endpoint table. */
export const operationSchemas = {
  CheckoutSessionsController_create: {
    body: checkoutSessionRequestSchema,
    answer: z.union([checkoutSessionSchema, paymentRequiredSchema]),
  },
  CheckoutSessionsController_findOne: { answer: checkoutSessionSchema },
  ChargesController_card: { body: cardChargeRequestSchema, answer: cardChargeSchema },
  ChargesController_wave: { body: waveChargeRequestSchema, answer: waveChargeSchema },
  ChargesController_mtn: { body: mtnChargeRequestSchema, answer: mtnChargeSchema },
  ChargesController_switch: { answer: null },
  ChargesController_findCard: { answer: cardChargeSchema },
  PaymentRequestsController_create: { body: paymentRequestRequestSchema, answer: paymentRequestSchema },
  RefundsController_create: { body: refundRequestSchema, answer: refundCreatedSchema },
  RefundsController_findAll: { query: refundQuerySchema, answer: listSchema(refundSchema) },
  RefundsController_findOne: { answer: refundSchema },
  PayoutsController_create: { body: payoutRequestSchema, answer: payoutSchema },
  SettlementsController_instant: { body: instantSettlementRequestSchema, answer: instantSettlementSchema },
  TransactionsController_findAll: { query: transactionQuerySchema, answer: listSchema(transactionSchema) },
  TransactionsController_findOne: { answer: transactionSchema },
  CustomersController_create: { body: customerRequestSchema, answer: customerSchema },
  CustomersController_findAll: { query: customerQuerySchema, answer: listSchema(customerSchema) },
  CustomersController_findOne: { answer: customerSchema },
  CustomersController_update: { body: customerUpdateSchema, answer: customerSchema },
  CustomersController_findTransactions: { answer: transactionSchema.array() },
  AccountsController_findBalance: { query: balanceQuerySchema, answer: balanceSchema.array() },
  AccountsController_findAll: { answer: accountSchema.array() },
  AccountsController_findOne: { answer: accountSchema },
  OrganizationsController_findAll: { answer: organizationSchema.array() },
  OrganizationsController_findOne: { answer: organizationSchema },
  MerchantsController_findOne: { answer: merchantSchema },
  ProvidersController_findAll: { query: providerQuerySchema, answer: providerSchema.array() },
  WebhooksController_create: { body: webhookEndpointRequestSchema, answer: webhookEndpointSchema },
  WebhooksController_findAll: { answer: webhookEndpointSchema.array() },
  WebhooksController_findOne: { answer: webhookEndpointSchema },
  WebhooksController_update: { body: webhookEndpointUpdateSchema, answer: webhookEndpointSchema },
  WebhooksController_remove: { answer: null },
  WebhooksController_test: { answer: webhookTestSchema },
  WebhooksController_findLogs: { query: deliveryLogQuerySchema, answer: deliveryLogSchema.array() },
  WebhooksController_retryLog: { answer: deliveryRetrySchema },
  WebhookDeliveryLogsController_findOne: { answer: deliveryLogSchema },
} as const satisfies Record<OperationId, OperationSchemas>;
