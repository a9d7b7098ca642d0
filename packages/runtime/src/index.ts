export {
  type BodyLimiter,
  createBodyLimiter,
  hangUpAfterResponse,
  hangUpLater,
  hostBytes,
  type RawBody,
  type ReadBodyOptions,
  readBody,
} from "./bodies/read-body.ts";
export { readWebBody } from "./bodies/read-web-body.ts";
export { testKeyMistake } from "./config/live-keys.ts";
export { type ConfigIssue, type ConfigSchema, invalidConfiguration, parseConfig } from "./config/parse-config.ts";
export { variableOf } from "./config/variable-of.ts";
export { createEngineRunner, type EngineRunner, type EngineRunnerOptions } from "./engine-runner.ts";
export { endpointProblem } from "./health/endpoint-problem.ts";
export { examineTransactions, type TransactionNaming } from "./health/examine-transactions.ts";
export { type Health, readHealth } from "./health/health.ts";
export {
  type Liveness,
  type Readiness,
  type ReadinessOptions,
  readLiveness,
  readReadiness,
} from "./health/readiness.ts";
export { allPages } from "./ledger/all-pages.ts";
export { canList, canPrune } from "./ledger/ledger-capabilities.ts";
export { type Correlation, type CorrelationIds, createCorrelation } from "./logs/correlation.ts";
export { createJsonLog, type JsonLogOptions, type LogLevel } from "./logs/json-log.ts";
export { redactText } from "./logs/redact-text.ts";
export { giveWay, PROCESS_ROLES, type ProcessRole, roleMistakes, runsJobs, servesRequests } from "./process-role.ts";
export {
  correlatePayments,
  createServiceClients,
  type ServiceCall,
  type ServiceClientsOptions,
} from "./service-clients.ts";
export { createSignedTokens, type SignedTokens, type TokenReading } from "./signed-tokens.ts";
export { createWriteBound, type WriteBound } from "./stores/write-bound.ts";
export { plainText } from "./texts/plain-text.ts";
export { type ClockCheck, createClockCheck } from "./timer/clock-check.ts";
export { createTaskScheduler, type ScheduledTask, type TaskScheduler } from "./timer/scheduled-tasks.ts";
export { createWorkTimer, type StartedJobs, type WorkTimer, type WorkTimerOptions } from "./timer/work-timer.ts";
export type { OpenTelemetry } from "./tracing/open-telemetry.ts";
export { createPaymentTracing } from "./tracing/payment-tracing.ts";
export { createTracer, type OpenSpan, type SpanIds, type Tracer } from "./tracing/tracer.ts";
export {
  createRefusedWebhooks,
  type RefusedEndpoint,
  type RefusedWebhooks,
  type WebhookRefusal,
} from "./webhooks/refused-webhooks.ts";
export { createWebhookHandler, type WebhookHandler, type WebhookHandlerOptions } from "./webhooks/webhook-handler.ts";
export type { WebhookResponse } from "./webhooks/webhook-refusals.ts";
