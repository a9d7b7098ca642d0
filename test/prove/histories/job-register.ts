import type { Register } from "./linearizable.ts";

/** `claim`: this job was among those that were answered. Times and leases in milliseconds. */
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
  /** At the very end, long after every lease: whether it was still to be had. */
  | { readonly kind: "last look"; readonly result: boolean };

type JobState =
  | { readonly readyAt: number; readonly worker: string | null; readonly attempts: number }
  | { readonly finished: true };

/** One job as the ledger's contract has it: nobody gets it while another one has it, and once finished it is gone. */
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
        const own = state.worker === op.worker;
        if (op.result !== own) return null;
        return own ? { ...state, readyAt: op.now + op.leaseMs } : state;
      }
      case "retry":
        return { ...state, readyAt: op.dueAt, worker: null };
      case "finish":
        return { finished: true };
      case "last look":
        return op.result ? state : null;
    }
  },
};

function afterEnd(state: JobState, op: JobOp): JobState | null {
  if (op.kind === "claim") return null;
  if (op.kind === "renew" || op.kind === "last look") return op.result ? null : state;
  return state;
}
