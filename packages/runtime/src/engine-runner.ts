import { type Engine, receiveWebhook, systemClock } from "@tillkit/core";
import type { Correlation } from "./logs/correlation.ts";
import { type ProcessRole, runsJobs } from "./process-role.ts";
import { type ClockCheck, createClockCheck } from "./timer/clock-check.ts";
import { createTaskScheduler, type ScheduledTask } from "./timer/scheduled-tasks.ts";
import { createRoundStart } from "./timer/start-round.ts";
import { createDeliveryPriority, createWorkTimer, type WorkTimer } from "./timer/work-timer.ts";
import { createRefusedWebhooks, type RefusedWebhooks } from "./webhooks/refused-webhooks.ts";
import { createWebhookHandler, type WebhookHandler } from "./webhooks/webhook-handler.ts";

export type EngineRunnerOptions = {
  readonly engine: Engine;
  /** Adds one id to the log lines of all jobs that the timer started together; the engine's log must come from `correlation.log`. */
  readonly correlation: Correlation;
  /** A `receiver` never starts its timer. The default is `both`. */
  readonly role?: ProcessRole;
  /** Tasks that the timer starts beside the engine's jobs. */
  readonly scheduledTasks?: readonly ScheduledTask[];
  /** Compares the machine's clock with the ledger's; the default is `createClockCheck`. */
  readonly clockCheck?: ClockCheck;
  /** The advice that is logged, and sent in the answer, when the host's body parser has already read a webhook. */
  readonly bodyParserAdvice: string;
};

/** What runs an engine in one process: its timer, and the handler of its webhooks, which have priority over jobs. */
export type EngineRunner = {
  readonly timer: WorkTimer;
  readonly clockCheck: ClockCheck;
  readonly handleWebhook: WebhookHandler;
  readonly refusedWebhooks: RefusedWebhooks;
  /** Resolves when the work under way has ended, or after ten seconds. */
  close(): Promise<void>;
};

export function createEngineRunner(options: EngineRunnerOptions): EngineRunner {
  const { engine, correlation, role = "both", scheduledTasks = [], bodyParserAdvice } = options;
  const { ledger, clock, log } = engine;
  const clockCheck = options.clockCheck ?? createClockCheck(ledger, clock, log);
  const priority = createDeliveryPriority(clock);
  const scheduler = createTaskScheduler(scheduledTasks, clock, log);
  const workTimer = createWorkTimer({
    startJobs: createRoundStart({ engine, correlation, clockCheck }),
    onRound: scheduler.startDue,
    yieldToDeliveries: priority.yieldToDeliveries,
    clock,
    realClock: systemClock,
    log,
  });
  const timer = runsJobs(role) ? workTimer : { ...workTimer, start() {} };
  const refusedWebhooks = createRefusedWebhooks(engine);
  const handleWebhook = createWebhookHandler({
    receive: (delivery) => priority.receive(() => receiveWebhook(engine, delivery)),
    onAccepted: timer.wake,
    onRefused: refusedWebhooks.record,
    bodyParserAdvice,
    clock,
    log,
  });
  // A process that runs no jobs needs no notification of new jobs, and no connection that waits for notifications.
  const stopListening = runsJobs(role) ? ledger.onNewJobs?.(timer.wake) : undefined;

  return {
    timer,
    clockCheck,
    handleWebhook,
    refusedWebhooks,
    async close() {
      stopListening?.();
      await Promise.all([timer.close(), scheduler.close()]);
    },
  };
}
