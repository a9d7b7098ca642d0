/** For servers: credentials, the service, and what protects calls to it. */
export { namesOurPayment } from "./deliveries/refused-delivery.ts";
export { reportedDisputes } from "./disputes/apply-dispute-event.ts";
export { mustMerchantAct } from "./domain/checkout-error.ts";
export { isTransactionOf } from "./movements/identify-transaction.ts";
export type { DeliveryAttempt, EndpointReading, EndpointTest } from "./ports/endpoint-reading.ts";
export type { HostJob, HostJobResult } from "./ports/host-job.ts";
export type {
  DeliveredEventsQuery,
  KeyReading,
  LoggedEvent,
  RefundList,
  RefundsQuery,
  Service,
  TransactionReading,
} from "./ports/service.ts";
export type { Credential, Tenants, WebhookEndpoint } from "./ports/tenants.ts";
export type { TracedStep, Tracing } from "./ports/tracing.ts";
export { describeRecovery } from "./recovery/describe-recovery.ts";
export { originalOfHost } from "./refunds/assert-refundable.ts";
export { allRecords } from "./resilience/all-records.ts";
export type { CircuitBreaker, CircuitBreakers } from "./resilience/circuit-breakers.ts";
export {
  createInstallations,
  type FoundCopy,
  type InstallationAnswer,
  type Installations,
  installationOf,
  listCopies,
} from "./resilience/installations.ts";
export { listStoreBlocks, type StoreBlockOf } from "./resilience/stored-blocks.ts";
export { resolveWithin, runWithRenewal, setTimer, withDeadline } from "./resilience/timers.ts";
export type { CreateBudget, CreateClient } from "./service/credential-config.ts";
export { type DeliveryFault, deliveryFaultOf } from "./service/delivery-fault.ts";
export { serviceFromClient } from "./service/service-from-client.ts";
export { createSharedBudget, type SharedBudgetOptions } from "./service/shared-budget.ts";
export { createTenants, type StaticTenantsOptions } from "./service/static-tenants.ts";
export {
  createStoredTenants,
  type StoredCredential,
  type StoredTenants,
  type StoredTenantsOptions,
} from "./service/stored-tenants.ts";
export { testWebhookEndpoint } from "./service/test-webhook-endpoint.ts";
export { type KeyPurpose, purposeKey } from "./signing/purpose-key.ts";
export { readReference, signReference } from "./signing/reference.ts";
export { withoutMark } from "./signing/refund-mark.ts";
