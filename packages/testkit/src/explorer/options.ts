import type { ExploredProcess } from "./explored-process.ts";
import { type Fault, faultsOf, nameOfFault } from "./faults.ts";
import { isFrozen, release, type Stage } from "./stage.ts";
import { nameOfStep, type ParkedStep } from "./step.ts";

/** What happens next. The default costs nothing, another step or poll one preemption, and a fault of the default step one fault. */
export type Option = (
  | { readonly step: ParkedStep; readonly fault: Fault | null }
  | { readonly poll: ExploredProcess }
) & { readonly preemptions: 0 | 1; readonly faults: 0 | 1 };

/**
 * Everything that can happen next, the default first. Empty: only time can pass. Somebody outside acts by default when our processes have
 * nothing to do any more at this moment.
 * @param isShort whether the default will be taken, so that only the number of other options counts, none or some
 */
export async function optionsAt(stage: Stage, isShort: () => boolean): Promise<readonly Option[]> {
  const { lastProcess } = stage;
  const steps = stage.parked.available(stage.world.clock.now());
  const inside = steps.filter(({ process }) => process !== null);
  const first = inside.find(({ process }) => process === lastProcess) ?? inside[0];
  const polls = (await dueProcesses(stage)).sort((left, right) => rankOf(left) - rankOf(right));
  const all = [
    ...(first === undefined ? [] : [stepOption(first)]),
    ...polls.map((process): Option => ({ poll: process, preemptions: 1, faults: 0 })),
    ...steps.filter((step) => step !== first).map(stepOption),
  ];
  const [next, ...others] = all;
  if (next === undefined) return [];
  const byDefault = { ...next, preemptions: 0 } as const;
  // Only the default is taken where nothing is decided.
  if (!stage.isCompared) return [byDefault];
  const faults = "step" in next ? faultsOf(next.step) : [];
  if (isShort()) return [byDefault, ...others, ...(faults.length > 0 ? [byDefault] : [])];
  return [
    byDefault,
    ...faults.map((fault): Option => ({ ...next, fault, preemptions: 0, faults: 1 }) as Option),
    ...others,
  ];

  function rankOf(process: ExploredProcess): number {
    return process === lastProcess ? 0 : 1;
  }
}

function stepOption(step: ParkedStep): Option {
  return { step, fault: null, preemptions: 1, faults: 0 };
}

/** The processes that look for jobs now: one is due, and they have not just found none. */
async function dueProcesses(stage: Stage): Promise<ExploredProcess[]> {
  const idle = stage.processes.filter(
    (process) => !process.isPolling && !isFrozen(stage, process) && process.emptyPoll !== queueOf(stage),
  );
  if (idle.length === 0) return [];
  const dueAt = await nextDueAt(stage);
  return dueAt !== null && dueAt <= stage.world.clock.now() ? idle : [];
}

/** When the next job is due: read only where the queue has changed. */
export async function nextDueAt(stage: Stage): Promise<number | null> {
  const queue = stage.cells.digest("jobs");
  if (stage.nextJob.queue !== queue) stage.nextJob = { queue, dueAt: await stage.world.ledger.nextDueAt() };
  return stage.nextJob.dueAt;
}

function queueOf({ world, cells }: Stage): string {
  return `${world.clock.now()} ${cells.digest("jobs")}`;
}

export function take(stage: Stage, option: Option): void {
  if ("step" in option) release(stage, option.step, option.fault);
  else poll(stage, option.poll);
}

function poll(stage: Stage, process: ExploredProcess): void {
  const { world } = stage;
  stage.lastProcess = process;
  process.isPolling = true;
  const run = process.app.runDue().catch(() => undefined);
  void run.then((result) => {
    process.isPolling = false;
    if (result && result.done + result.retried + result.dead > 0) return;
    process.emptyPoll = queueOf(stage);
    world.emptyRuns += 1;
  });
}

export function nameOfOption(option: Option): string {
  if ("poll" in option) return `${option.poll.name}: looks for jobs`;
  return `${nameOfStep(option.step)}${option.fault === null ? "" : ` ✗ ${nameOfFault(option.fault)}`}`;
}
