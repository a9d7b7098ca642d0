import type { Change } from "@tillkit/core/ledger";
import { type Digest, mix, textOf } from "./digest.ts";

/**
 * The parts of the world that steps change, each as a digest of all its changes. Steps that change different parts lead to the same state
 * in either order.
 */
export type StateCells = {
  /** A part has changed in this way. */
  change(part: Part, content: string): void;
  /** A call to the ledger was answered: what it changed is added. */
  recordLedgerCall(method: string, given: readonly unknown[], answer: unknown, now: number): void;
  digest(part: Part): Digest;
  text(): string;
};

type Part = "rows" | "jobs" | "records" | "service" | "shop" | "acts";

const PARTS: readonly Part[] = ["rows", "jobs", "records", "service", "shop", "acts"];

/** What the calls to the ledger change. */
const PARTS_OF: Readonly<Record<string, readonly Part[]>> = {
  commit: ["rows", "jobs"],
  receive: ["rows", "jobs"],
  claim: ["jobs"],
  renewJobs: ["jobs"],
  put: ["records"],
  delete: ["records"],
};
const LOCKING: ReadonlySet<string> = new Set(["lockOrder", "renewOrder", "unlockOrder"]);

type OrderLock = { readonly fence: number; readonly endsAt: number | null };

export function createStateCells(): StateCells {
  const digests = new Map<Part, Digest>(PARTS.map((part) => [part, 0]));
  const locks = new Map<string, OrderLock>();

  function change(part: Part, content: string): void {
    digests.set(part, mix(digests.get(part) ?? 0, content));
  }

  function recordCall(part: Part, method: string, given: readonly unknown[], now: number): void {
    if (method === "commit") recordCommit(part, given[0] as Change, now);
    else change(part, textOf([method, now, given]));
  }

  function recordCommit(part: Part, given: Change, now: number): void {
    const { fence: _, jobs = [], finished = [], retried = [], ...rows } = given;
    if (part === "rows") change(part, textOf([now, rows]));
    else if (jobs.length + finished.length + retried.length > 0) change(part, textOf([now, jobs, finished, retried]));
  }

  function recordLock(method: string, [ref, ...given]: readonly unknown[], answer: unknown): void {
    const order = textOf(ref);
    const lock = locks.get(order);
    if (method === "lockOrder" && typeof answer === "number") {
      const [, now, leaseMs] = given as [string, number, number];
      locks.set(order, { fence: answer, endsAt: now + leaseMs });
    } else if (method === "renewOrder" && answer === true) {
      const [fence, now, leaseMs] = given as [number, number, number];
      locks.set(order, { fence, endsAt: now + leaseMs });
    } else if (method === "unlockOrder" && lock?.fence === given[0]) {
      locks.set(order, { fence: lock?.fence ?? 0, endsAt: null });
    }
  }

  return {
    change,
    digest: (part) => digests.get(part) ?? 0,
    text: () =>
      `${[...digests.values()].join(" ")} ${[...locks].map(([order, { fence, endsAt }]) => `${order}${fence}:${endsAt}`).join(" ")}`,
    recordLedgerCall(method, given, answer, now) {
      if (LOCKING.has(method)) recordLock(method, given, answer);
      else if (hasChanged(answer)) for (const part of PARTS_OF[method] ?? []) recordCall(part, method, given, now);
    },
  };
}

// A commit that is stale, and a claim of nothing, changes nothing.
function hasChanged(answer: unknown): boolean {
  return answer !== "stale" && answer !== "taken" && !(Array.isArray(answer) && answer.length === 0);
}
