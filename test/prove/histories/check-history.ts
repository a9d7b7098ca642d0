import type { PaymentLedger } from "@tillkit/core";
import { type JobOp, jobRegister } from "./job-register.ts";
import { type Call, isLinearizable, type Register } from "./linearizable.ts";
import type { ObservedCall } from "./observed-call.ts";
import { type OrderOp, orderRegister } from "./order-register.ts";

const DRAIN_MS = 3_600_000;

/** Returns one sentence per violation of a finished history. Removes the remaining jobs. */
export async function checkHistory(
  ledger: PaymentLedger,
  observed: readonly ObservedCall[],
  startsAt: number,
): Promise<readonly string[]> {
  const leftJobs = await drainJobs(ledger, startsAt + DRAIN_MS);
  const orders = new Map<string, Call<OrderOp>[]>();
  const jobs = new Map<string, Call<JobOp>[]>();
  for (const call of observed) {
    if (call.kind === "order") add(orders, call.about, call);
    else if (call.kind === "job") add(jobs, call.about, call);
  }
  for (const [id, calls] of jobs) {
    const end = Math.max(...calls.map(({ to }) => to)) + 1;
    calls.push({ from: end, to: end, op: { kind: "final check", result: leftJobs.some((job) => job.id === id) } });
  }
  return [
    ...linearizabilityViolations("order", orderRegister, orders),
    ...linearizabilityViolations("job", jobRegister, jobs),
    ...jobViolations(observed, leftJobs),
  ];
}

async function drainJobs(ledger: PaymentLedger, now: number): Promise<{ id: string; payload: string }[]> {
  const left: { id: string; payload: string }[] = [];
  for (;;) {
    const jobs = await ledger.claim({ worker: "final check", now, leaseMs: DRAIN_MS, limit: 100 });
    if (jobs.length === 0) return left;
    left.push(...jobs);
    await ledger.commit({ finished: jobs.map(({ id }) => id), timeline: [] });
  }
}

function linearizabilityViolations<State, Op>(
  what: string,
  register: Register<State, Op>,
  calls: ReadonlyMap<string, readonly Call<Op>[]>,
): string[] {
  return [...calls].flatMap(([about, ownCalls]) => {
    if (isLinearizable(register, ownCalls)) return [];
    const first = Math.min(...ownCalls.map(({ from }) => from));
    const lines = [...ownCalls]
      .sort((left, right) => left.from - right.from)
      .map(({ from, to, op }) => `  ${Math.round(from - first)}–${Math.round(to - first)} µs ${JSON.stringify(op)}`);
    return [`no order of these calls explains their answers, ${what} ${about}:\n${lines.join("\n")}`];
  });
}

/** Finds jobs of rejected commits, duplicate jobs of deliveries, and lost jobs. */
function jobViolations(
  observed: readonly ObservedCall[],
  leftJobs: readonly { id: string; payload: string }[],
): string[] {
  const claimed = new Set(observed.flatMap((call) => (call.kind === "job" ? [call.about] : [])));
  const violations: string[] = [];
  const expected = new Map<string, boolean>();
  for (const call of observed) if (call.kind === "expects") expected.set(call.payload, call.mustExist);
  for (const [payload, mustExist] of expected) {
    const untouched = leftJobs.filter((job) => job.payload === payload);
    if (!mustExist && untouched.length > 0) violations.push(`a refused commit left its job behind: ${payload}`);
    if (untouched.length > 1) violations.push(`one delivery, or one commit, has ${untouched.length} jobs: ${payload}`);
  }
  const created = [...expected.values()].filter((mustExist) => mustExist).length;
  const seen = new Set([...claimed, ...leftJobs.map(({ id }) => id)]).size;
  if (created !== seen) violations.push(`${created} jobs were made, ${seen} were ever seen`);
  return violations;
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
