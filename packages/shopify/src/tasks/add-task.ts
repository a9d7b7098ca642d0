import type { Job } from "@tillkit/core/ledger";
import type { AppContext } from "../app-context.ts";
import type { ModificationTask, WebhookTask } from "../records/tasks.ts";

/** The payloads of this app's jobs, by kind. A payload that changes its meaning gets a new kind. */
export type AppTasks = {
  readonly "shopify.modification": ModificationTask;
  readonly "shopify.webhook": WebhookTask;
};

/** The task of a job of this kind. */
export function taskOf<Kind extends keyof AppTasks>({ payload }: Pick<Job, "payload">): AppTasks[Kind] {
  return JSON.parse(payload) as AppTasks[Kind];
}

type NewTask<Kind extends keyof AppTasks> = {
  readonly kind: Kind;
  readonly shop: string;
  /** What asks for the task, unique in its shop. */
  readonly uniqueKey: string;
  readonly task: AppTasks[Kind];
  /** The payment that the task is about; null for a task about several, or about none. */
  readonly paymentId: string | null;
};

/** Resolves when the task is stored durably. A task whose key the shop has used before is skipped. */
export async function addTask<Kind extends keyof AppTasks>(
  { ledger, clock }: Pick<AppContext, "ledger" | "clock">,
  { kind, shop, uniqueKey, task, paymentId }: NewTask<Kind>,
): Promise<void> {
  const payload = JSON.stringify(task);
  const job = { kind, storeId: shop, paymentId, payload, dueAt: clock.now(), uniqueKey };
  await ledger.commit({ jobs: [job], timeline: [] });
}
