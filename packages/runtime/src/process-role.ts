import { getPriority, setPriority } from "node:os";

/** The roles of a process. `both` is the default: one process that does everything. */
export const PROCESS_ROLES = ["both", "receiver", "worker"] as const;

/**
 * What one of several processes on the same ledger does. `receiver`: stores webhooks, serves shoppers and operators and starts
 * checkouts; it runs no jobs and no scheduled tasks. `worker`: runs jobs and scheduled tasks, and serves health and metrics only.
 */
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** Whether a process with this role answers webhooks, shoppers and operators. */
export function servesRequests(role: ProcessRole): boolean {
  return role !== "worker";
}

/** Whether a process with this role runs jobs and scheduled tasks. */
export function runsJobs(role: ProcessRole): boolean {
  return role !== "receiver";
}

/** The operating system's `nice` value of a worker: a process with 0 gets ten times its share of a busy processor. */
const WORKER_NICE = 10;

/**
 * Lets the receivers of the same machine go first when this process is a worker: the service waits four seconds for a webhook's
 * answer, and a job can wait. Programs call it at their start; a library does not change the process that it runs in.
 */
export function giveWay(role: ProcessRole): void {
  if (role === "worker" && getPriority() < WORKER_NICE) setPriority(WORKER_NICE);
}

/**
 * What is missing for a role, one sentence for each mistake.
 * @param databaseUrl as it is passed to `openLedger`
 */
export function roleMistakes(role: ProcessRole, databaseUrl: string): string[] {
  if (role === "both" || /^postgres(?:ql)?:/.test(databaseUrl)) return [];
  const others = role === "receiver" ? "workers" : "receivers";
  return [
    `The role "${role}" needs a PostgreSQL database that all processes share, because ${others} on other machines cannot open a SQLite file: set database to postgres://…, or use the role "both".`,
  ];
}
