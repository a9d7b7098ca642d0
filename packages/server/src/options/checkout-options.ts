import type {
  AmountUnit,
  AutoRefundReason,
  Clock,
  CredentialConfig,
  EngineOptions,
  Log,
  PaymentLedger,
  Random,
  StoreAdapter,
} from "@tillkit/core";
import type { OpenTelemetry, ProcessRole, ScheduledTask } from "@tillkit/runtime";
import type { StoreDirectory } from "../stores/store-directory.ts";
import type { OperatorOptions } from "./operator-options.ts";

export type CheckoutServerOptions = OperatorOptions & {
  /** The public address of this server's routes, with a path when the routes are mounted under a path. */
  readonly publicUrl: string;
  /**
   * The keys that sign links and references: the newest first, 32 characters or more each. The first key signs, and every key is
   * accepted. Keep an old key for as long as its links are valid.
   */
  readonly keys: readonly string[];
  readonly ledger: PaymentLedger;
  /** The adapter of each store by its `storeId`; a directory when stores are added and removed while the program runs. */
  readonly stores: Readonly<Record<string, StoreAdapter>> | StoreDirectory;
  /**
   * The service's keys, each with its stores and its webhook endpoint. `stored`: the keys are encrypted in the ledger's secrets, and
   * `storedCredentials` changes them while the program runs.
   */
  readonly credentials: readonly CredentialConfig[] | "stored";
  /** The unit in which the service counts amounts in USD and EUR; `minor` unless set. */
  readonly amountUnit?: AmountUnit;
  /** The cases in which payments are refunded automatically, without asking the merchant; no case unless set. */
  readonly autoRefund?: readonly AutoRefundReason[];
  /**
   * What this process does where several share a ledger: `receiver` answers requests and runs no jobs, `worker` runs jobs and answers
   * only `/livez`, `/healthz`, `/readyz` and `/metrics`. `both` unless set.
   */
  readonly role?: ProcessRole;
  /** `off`: the host itself reconciles its stores each day. */
  readonly reconcile?: "daily" | "off";
  /** Jobs of the host's platform by kind, such as `myshop.webhook`; they are stored, retried and shown like all jobs. */
  readonly hostJobs?: EngineOptions["hostJobs"];
  /** Tasks of the host that the timer starts beside the jobs of payments. */
  readonly scheduledTasks?: readonly ScheduledTask[];
  /**
   * Sentences about what the operator must change soon, without secrets and names of orders. `/readyz` shows them, and each new sentence
   * is an alert. They do not make the server unready.
   */
  readonly warnings?: () => Promise<readonly string[]>;
  /** Whether test keys are warned of; unless set, whether the environment variable `NODE_ENV` is `production`. */
  readonly production?: boolean;
  /** Refuses test keys in `credentials`: for a shop that must take real money only. */
  readonly requireLiveKeys?: boolean;
  /** Unless set, warnings and errors go to stderr as JSON lines. `createJsonLog({ level: "info" })` also logs each request. */
  readonly log?: Log;
  /**
   * The module `@opentelemetry/api`, when the program has started an SDK of OpenTelemetry: a payment is then one trace from the
   * shopper to the store. `import * as openTelemetry from "@opentelemetry/api"`.
   */
  readonly openTelemetry?: OpenTelemetry;
  readonly clock?: Clock;
  /** Times the deadlines, pauses and retries of calls to the service; the real time unless set, even when `clock` is set. */
  readonly callClock?: Clock;
  readonly random?: Random;
};
