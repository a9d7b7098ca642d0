import type { HostJob } from "@tillkit/core/hosts";
import type { AppContext } from "../app-context.ts";
import { runModificationTask } from "../offsite/run-modification-task.ts";
import { type AppTasks, taskOf } from "../tasks/add-task.ts";
import { runUnlessRefused } from "../tasks/run-unless-refused.ts";
import { taskNames } from "../texts/task-texts.ts";
import { isAboutApp, runWebhookTask } from "../webhooks/run-webhook-task.ts";

/** The jobs of this app by kind. `getContext` is called when a job runs, because the engine is itself a part of the context. */
export function hostJobs(getContext: () => AppContext): Readonly<Record<keyof AppTasks, HostJob>> {
  return {
    "shopify.modification": {
      names: taskNames.modification,
      run: (job) =>
        runUnlessRefused(getContext(), job, (context, shop) =>
          runModificationTask(context, shop, taskOf<"shopify.modification">(job)),
        ),
    },
    "shopify.webhook": {
      names: taskNames.webhook,
      run(job) {
        const task = taskOf<"shopify.webhook">(job);
        if (isAboutApp(task)) return runWebhookTask(getContext(), job.storeId ?? "", task);
        return runUnlessRefused(getContext(), job, (context, shop) => runWebhookTask(context, shop, task));
      },
    },
  };
}
