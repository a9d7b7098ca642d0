import { type ProcessRole, runsJobs, servesRequests } from "@tillkit/runtime";

/** What a process of one role serves, as lines for the program's greeting; none for a process that does everything. */
export function roleLines(role: ProcessRole): string[] {
  if (role === "both") return [];
  return [
    "",
    `  role     ${role}`,
    `  serves   ${servesRequests(role) ? "webhooks, shoppers, operators, health and metrics" : "health and metrics"}`,
    `  jobs     ${runsJobs(role) ? "all jobs and scheduled tasks" : "none: at least one worker must run"}`,
  ];
}
