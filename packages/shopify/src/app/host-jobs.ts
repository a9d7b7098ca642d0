import type { HostJob, HostJobResult, Job } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { runModificationTask } from "../offsite/run-modification-task.ts";
import type { AppTasks } from "../tasks/add-task.ts";
import { taskNames } from "../texts/task-texts.ts";
import { runWebhookTask } from "../webhooks/run-webhook-task.ts";

/** The jobs of this app by kind. `getContext` is called when a job runs, because the engine is itself a part of the context. */
export function hostJobs(getContext: () => AppContext): Readonly<Record<keyof AppTasks, HostJob>> {
  return {
    "shopify.modification": {
      names: taskNames.modification,
      run: (job) => runTask<"shopify.modification">(job, (shop, task) => runModificationTask(getContext(), shop, task)),
    },
    "shopify.webhook": {
      names: taskNames.webhook,
      run: (job) => runTask<"shopify.webhook">(job, (shop, task) => runWebhookTask(getContext(), shop, task)),
    },
  };
}

async function runTask<Kind extends keyof AppTasks>(
  { storeId, payload }: Job,
  run: (shop: string, task: AppTasks[Kind]) => Promise<HostJobResult>,
): Promise<HostJobResult> {
  return await run(storeId ?? "", JSON.parse(payload) as AppTasks[Kind]);
}
