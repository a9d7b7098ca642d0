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
