import type { Register } from "./linearizable.ts";

/** `claim`: this job was in the answer of a claim. Times and leases in milliseconds. */
export type JobOp =
  | {
      readonly kind: "claim";
      readonly worker: string;
      readonly now: number;
      readonly leaseMs: number;
      readonly attempts: number;
    }
  | {
      readonly kind: "renew";
      readonly worker: string;
      readonly now: number;
      readonly leaseMs: number;
      readonly result: boolean;
    }
  | { readonly kind: "retry"; readonly dueAt: number }
  | { readonly kind: "finish" }
  /** Whether the job could still be claimed at the end, long after every lease. */
  | { readonly kind: "final check"; readonly result: boolean };

type JobState =
  | { readonly readyAt: number; readonly worker: string | null; readonly attempts: number }
  | { readonly finished: true };

/** One job by the ledger's contract: one worker holds it at a time, and a finished job is never claimed again. */
export const jobRegister: Register<JobState, JobOp> = {
  start: { readyAt: 0, worker: null, attempts: 0 },
  keyOf: (state) => JSON.stringify(state),
  step(state, op) {
    if ("finished" in state) return afterEnd(state, op);
    switch (op.kind) {
      case "claim": {
        const free = state.readyAt <= op.now && op.attempts === state.attempts + 1;
        return free ? { readyAt: op.now + op.leaseMs, worker: op.worker, attempts: op.attempts } : null;
      }
      case "renew": {
        const holds = state.worker === op.worker;
        if (op.result !== holds) return null;
        return holds ? { ...state, readyAt: op.now + op.leaseMs } : state;
      }
      case "retry":
        return { ...state, readyAt: op.dueAt, worker: null };
      case "finish":
        return { finished: true };
      case "final check":
        return op.result ? state : null;
    }
  },
};

function afterEnd(state: JobState, op: JobOp): JobState | null {
  if (op.kind === "claim") return null;
  if (op.kind === "renew" || op.kind === "final check") return op.result ? null : state;
  return state;
}
