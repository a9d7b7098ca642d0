import type { Migration } from "@tillkit/sql";

const STEPS = "alter table tillkit_jobs add column error_reason text;";

/** What the error of a job says besides its code, as JSON. */
export const JOB_REASONS: Migration = { name: "0011-job-reasons", sqlite: STEPS, postgres: STEPS };
