import { limits } from "@tillkit/core";
import type { Evidence } from "../invariants/evidence.ts";
import type { Violation } from "../invariants/invariant.ts";
import { findViolations } from "../invariants/invariants.ts";
import { gatherEvidence } from "../simulator/gather-evidence.ts";
import { HOUR, MINUTE } from "../simulator/hazards/durations.ts";
import { addHistory } from "../simulator/simulation-world.ts";
import { type Act, nameOfAct } from "./act.ts";
import { ActIsImpossible } from "./act-targets.ts";
import { openStage } from "./open-stage.ts";
import { nameOfOption, nextDueAt, type Option, optionsAt, take } from "./options.ts";
import { performAct } from "./perform-act.ts";
import type { Scenario } from "./scenario.ts";
import { type Stage, stateOf } from "./stage.ts";

/** A schedule: at which of its decisions it takes another option than the first one, and which. */
export type Deviation = { readonly at: number; readonly option: number };

/** A decision of a schedule: what could happen next, the default first. */
export type Decision = { readonly index: number; readonly options: readonly Option[]; readonly state: () => string };

export type ScheduleResult = {
  /** Null: `visit` ended the schedule. */
  readonly violations: readonly Violation[] | null;
  readonly evidence: Evidence | null;
  readonly decisions: number;
  /** One line per step, if `isTold` was set. */
  readonly history: readonly { readonly at: number; readonly text: string }[];
};

export type RunOptions = {
  readonly isTold?: boolean;
  /** Called at each decision after the last deviation; false ends the schedule. */
  readonly visit?: (decision: Decision) => boolean;
};

/** Decisions are made as long as a first write may still take effect. Later, everything happens by default. */
const DECIDES_MS = limits.storeCallMs + limits.lateWriteMs + limits.clockSkewMs;
/** Above every schedule of the scenarios: something repeats itself without end. */
const MAX_STEPS = 20_000;

/** Plays a scenario, with the default wherever the schedule does not deviate. */
export async function runSchedule(
  scenario: Scenario,
  deviations: readonly Deviation[],
  { isTold = false, visit }: RunOptions = {},
): Promise<ScheduleResult> {
  const stage = await openStage(scenario, isTold);
  const { world } = stage;
  const chosen = new Map(deviations.map(({ at, option }) => [at, option]));
  const lastAt = deviations.at(-1)?.at ?? -1;
  try {
    for (const act of scenario.before) await playAlone(stage, act);
    const beganAt = world.clock.now();
    stage.lastFaultAt = beganAt;
    stage.isCompared = true;
    for (const act of scenario.acts) begin(stage, act);
    let index = 0;
    const isReplayed = () => index < lastAt && !chosen.has(index);
    const isEnded = await advance(stage, beganAt + DECIDES_MS, isReplayed, (options) => {
      if (options.length === 1) return options[0] ?? null;
      const decision = index;
      index += 1;
      const option = options[chosen.get(decision) ?? 0];
      if (!option)
        throw new Error(`Decision ${decision} has no option ${chosen.get(decision)}: the schedule is of other code.`);
      if (isTold && option !== options[0] && option.faults === 0) addHistory(world, `↷ ${nameOfOption(option)}`);
      const isNew = decision > lastAt && visit !== undefined;
      return isNew && !visit({ index: decision, options, state: () => stateOf(stage) }) ? null : option;
    });
    if (!isEnded) return { violations: null, evidence: null, decisions: index, history: world.history };
    stage.isCompared = false;
    await advance(stage, endOf(stage), undecided, takeFirst);
    await world.clock.runUntil(endOf(stage));
    const evidence = await gatherStageEvidence(stage);
    return { violations: findViolations(evidence), evidence, decisions: index, history: world.history };
  } finally {
    await world.closeStore();
    await world.ledger.close();
  }
}

async function gatherStageEvidence({ world, lastFaultAt, hadFault }: Stage): Promise<Evidence> {
  const known = { faultsEndedAt: lastFaultAt + callsMs(), redeliveryCalls: 0 };
  // A fault costs a call more, also where it happens to the reading of a shop, which leaves no trace.
  return { ...(await gatherEvidence(world, known)), wasUnsteady: hadFault };
}

// A call that was under way when the last fault ended may take that long.
function callsMs(): number {
  return limits.storeCallMs + limits.serviceCallMs + limits.orderLeaseMs + limits.jobLeaseMs;
}

function endOf({ world, lastFaultAt }: Stage): number {
  const open = world.service.sessions.filter(({ completedAt }) => completedAt === null);
  const lastReads = open.map(({ expiresAt }) => expiresAt + limits.graceMs + 10 * MINUTE);
  return Math.max(lastFaultAt + 3 * HOUR, ...lastReads);
}

const undecided = () => true;
const takeFirst = ([first]: readonly Option[]) => first ?? null;

async function playAlone(stage: Stage, act: Act): Promise<void> {
  const { clock } = stage.world;
  const { afterMs = 0 } = act;
  const beginsAt = clock.now() + afterMs;
  if (afterMs > 0) clock.setTimer(afterMs, () => undefined);
  await advance(stage, beginsAt, undecided, takeFirst);
  begin(stage, { ...act, afterMs: 0 });
  await advance(stage, beginsAt, undecided, takeFirst);
}

/** Lets an act wait for its turn, at its time. */
function begin(stage: Stage, act: Act): void {
  const { parked, world, cells } = stage;
  stage.actsUnderWay += 1;
  const end = (how: string) => {
    stage.actsUnderWay -= 1;
    cells.change("acts", `${world.clock.now()} ${act.do} ${how}`);
  };
  const start = () => {
    const work = performAct(stage, act).then(() => end("done"));
    return work.catch((error: unknown) => {
      if (!(error instanceof ActIsImpossible)) throw error;
      end("impossible");
    });
  };
  const step = () =>
    parked.add({
      port: "act",
      method: nameOfAct(act),
      process: null,
      isWrite: false,
      given: [],
      perform: start,
      answer: throwError,
    });
  if (act.afterMs) world.clock.setTimer(act.afterMs, step);
  else step();
}

function throwError(result: object): void {
  if ("error" in result) throw result.error;
}

/** Lets everything happen that is due until `end`. Returns false if `choose` ended it by null. */
async function advance(
  stage: Stage,
  end: number,
  isReplayed: () => boolean,
  choose: (options: readonly Option[]) => Option | null,
): Promise<boolean> {
  const { clock } = stage.world;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    await clock.settle();
    const options = await optionsAt(stage, isReplayed);
    if (options.length > 0) {
      const option = choose(options);
      if (option === null) return false;
      take(stage, option);
      continue;
    }
    const next = await nextAt(stage);
    if (next === null || next > end) return true;
    // A job that becomes due has no timer of its own.
    if (clock.nextWakeAt() !== next) clock.setTimer(next - clock.now(), () => undefined);
    clock.wakeNext();
  }
  addHistory(stage.world, "the schedule has no end");
  throw new Error(
    `${stage.world.history
      .slice(-20)
      .map(({ text }) => text)
      .join("\n")}\nThe schedule has no end.`,
  );
}

async function nextAt(stage: Stage): Promise<number | null> {
  const { world } = stage;
  const [wakeAt, dueAt] = [world.clock.nextWakeAt(), await nextDueAt(stage)];
  const jobAt = dueAt !== null && dueAt > world.clock.now() ? dueAt : null;
  return wakeAt === null || jobAt === null ? (wakeAt ?? jobAt) : Math.min(wakeAt, jobAt);
}
