export { accountSchema, balanceQuerySchema, balanceSchema } from "./schemas/account.ts";
export {
  cardChargeRequestSchema,
  cardChargeSchema,
  mtnChargeRequestSchema,
  mtnChargeSchema,
  waveChargeRequestSchema,
  waveChargeSchema,
} from "./schemas/charge.ts";
export {
  checkoutSessionRequestSchema,
  checkoutSessionSchema,
  INTEGRATION_SOURCES,
  paymentRequiredSchema,
} from "./schemas/checkout-session.ts";
export {
  amountSchema,
  CURRENCIES,
  currencyCodeSchema,
  environmentSchema,
  metadataSchema,
  phoneSchema,
  webUrlSchema,
} from "./schemas/common.ts";
export { confirmationPreviewSchema } from "./schemas/confirmation.ts";
export {
  customerQuerySchema,
  customerRequestSchema,
  customerSchema,
  customerUpdateSchema,
} from "./schemas/customer.ts";
export {
  deliveryLogQuerySchema,
  deliveryLogSchema,
  deliveryRetrySchema,
  webhookTestSchema,
} from "./schemas/delivery-log.ts";
export { errorSchema } from "./schemas/error.ts";
export { listQuerySchema, listSchema } from "./schemas/list.ts";
export {
  instantSettlementRequestSchema,
  instantSettlementSchema,
  paymentRequestRequestSchema,
  paymentRequestSchema,
  payoutRequestSchema,
  payoutSchema,
} from "./schemas/money-movement.ts";
export { type OperationSchemas, operationSchemas } from "./schemas/operations.ts";
export { merchantSchema, organizationSchema, providerQuerySchema, providerSchema } from "./schemas/organization.ts";
export {
  refundCreatedSchema,
  refundQuerySchema,
  refundRequestSchema,
  refundSchema,
} from "./schemas/refund.ts";
export { TRANSACTION_STATUSES, transactionQuerySchema, transactionSchema } from "./schemas/transaction.ts";
export {
  webhookEndpointRequestSchema,
  webhookEndpointSchema,
  webhookEndpointUpdateSchema,
} from "./schemas/webhook-endpoint.ts";
