import type { HostJob } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { runModificationTask } from "../offsite/run-modification-task.ts";
import { type AppTasks, taskOf } from "../tasks/add-task.ts";
import { taskNames } from "../texts/task-texts.ts";
import { runWebhookTask } from "../webhooks/run-webhook-task.ts";

/** The jobs of this app by kind. `getContext` is called when a job runs, because the engine is itself a part of the context. */
export function hostJobs(getContext: () => AppContext): Readonly<Record<keyof AppTasks, HostJob>> {
  return {
    "shopify.modification": {
      names: taskNames.modification,
      run: (job) => runModificationTask(getContext(), job.storeId ?? "", taskOf<"shopify.modification">(job)),
    },
    "shopify.webhook": {
      names: taskNames.webhook,
      run: (job) => runWebhookTask(getContext(), job.storeId ?? "", taskOf<"shopify.webhook">(job)),
    },
  };
}
