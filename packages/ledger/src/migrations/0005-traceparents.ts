import type { Migration } from "@tillkit/sql";

const STEPS = "alter table tillkit_payments add column traceparent text;";

/** The trace in which a checkout was started, so that its webhook and its jobs continue that trace. */
export const TRACEPARENTS: Migration = { name: "0005-traceparents", sqlite: STEPS, postgres: STEPS };
