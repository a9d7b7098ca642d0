import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatDuration } from "./format-numbers.ts";
import { CASES, CASES_IN_CI } from "./kills/cases.ts";
import { readOptions } from "./options.ts";
import { planOf, type Task } from "./plan.ts";
import { createProgress } from "./progress.ts";
import { isDone, resultsOf, violationsOf } from "./results.ts";
import { type DoneSlice, readSavedRun, type SavedRun, savedRunPath, writeSavedRun } from "./saved-run.ts";
import { markdownTable, plainTable } from "./table.ts";
import type { Outcome, Tier } from "./tier.ts";
import { kills } from "./tiers/kills.ts";

const WHOLE = { index: 1, of: 1 };
const many = tier("T2", { cases: 1_000, slice: 100 });
const exclusive = tier("T7", { cases: 1, slice: 1, exclusive: true });
const few = tier("T5", { cases: 7, slice: 5 });
const known = [many, few, exclusive];

describe("the command line of the proof", () => {
  const read = (...flags: string[]) => readOptions(flags, known, 4);

  it("the command line without flags runs everything", () => {
    expect(read()).toMatchObject({ action: "run", tiers: known, share: 1, seed: 1, processes: 4, part: WHOLE });
  });

  it("the tier flag accepts single tiers and lists, in any letter case", () => {
    expect(read("--tier", "t2", "--tier", "T7")).toMatchObject({ tiers: [many, exclusive] });
    expect(read("--tier", "T5,T2", "--share", "0.01", "--part", "2/4")).toMatchObject({
      tiers: [many, few],
      share: 0.01,
      part: { index: 2, of: 4 },
    });
  });

  it.each([
    [["--tier", "T9"], 'There is no tier "T9": the tiers are T2, T5, T7.'],
    [["--share", "2"], '--share must be a number above 0 and up to 1, for example 0.01, not "2".'],
    [["--seed", "x"], '--seed must be a whole number from 0, not "x".'],
    [["--part", "5/4"], '--part must be "1/4", "2/4" and so on, not "5/4".'],
    [["--case", "3"], "--case needs exactly one --tier, for example --tier T2."],
    [["--json"], "--json needs a value. --help shows an example."],
    [["--speed", "9"], "There is no flag --speed. --help lists the flags."],
    [["T2"], '"T2" belongs to no flag. --help lists the flags.'],
    [["--resume", "run.json", "--seed", "2"], "A saved run has its own --seed. Leave out --resume or --seed."],
  ])("the flags %j are rejected with one sentence", (flags, sentence) => {
    expect(read(...flags)).toBe(sentence);
  });
});

describe("the plan of a run", () => {
  const plan = (changes: Partial<Parameters<typeof planOf>[0]>) =>
    planOf({ tiers: known, share: 1, seed: 3, part: WHOLE, only: null, ...changes });

  it("CI's share of the kills holds every failpoint, the freezes and 200 random kills", () => {
    const [, share = ""] = /--tier T3 --share ([\d.]+)/.exec(readFileSync(".ci/run", "utf8")) ?? [];
    const [task] = plan({ tiers: [{ ...kills, slice: CASES.length }], share: Number(share) });
    expect(task?.slice.to).toBe(CASES_IN_CI.length);
  });

  it("the plan cuts every tier into slices and puts the exclusive tiers last", () => {
    const tasks = plan({});
    expect(tasks).toHaveLength(10 + 2 + 1);
    expect(tasks.at(-1)?.tier).toBe(exclusive);
    expect(tasks[11]?.slice).toEqual({ seed: 3, from: 5, to: 7 });
  });

  it("a share of a hundredth takes at least one case of every tier", () => {
    expect(plan({ share: 0.01 }).map(({ slice }) => slice.to)).toEqual([10, 1, 1]);
  });

  it("four parts of a plan contain every slice exactly once", () => {
    const parts = [1, 2, 3, 4].flatMap((index) => plan({ part: { index, of: 4 } }));
    expect(new Set(parts.map(nameOf))).toEqual(new Set(plan({}).map(nameOf)));
    expect(parts).toHaveLength(plan({}).length);
  });

  it("a plan for a named case contains only that case", () => {
    expect(plan({ tiers: [many], only: 12 }).map(({ slice }) => slice)).toEqual([{ seed: 3, from: 12, to: 13 }]);
  });
});

describe("the results of a run", () => {
  const plan = planOf({ tiers: known, share: 1, seed: 1, part: WHOLE, only: null });
  const saved: SavedRun = {
    share: 1,
    seed: 1,
    part: WHOLE,
    slices: [
      doneSlice("T2", 0, 100, [0, 4_000], { figures: { kills: 3, "p99 ms": 20 } }),
      doneSlice("T2", 100, 200, [2_000, 5_000], { figures: { kills: 4, "p99 ms": 9 } }),
      doneSlice("T2", 200, 300, [60_000, 61_000], { violations: [{ case: 207, why: "I1 twice", again: "again" }] }),
      // From an earlier version of the tier, which had other slices.
      doneSlice("T2", 0, 50, [0, 9_000], { violations: [{ case: 1, why: "old", again: "old" }] }),
    ],
  };

  it("the results add up counts, keep the greatest measurement and exclude idle time", () => {
    const [first] = resultsOf(saved, plan);
    expect(first).toMatchObject({ id: "T2", cases: 300, violations: 1, ms: 6_000 });
    expect(first?.figures).toEqual({ kills: 7, "p99 ms": 20 });
  });

  it("the results show which slices are still to be done", () => {
    expect(plan.filter((task) => !isDone(saved, task))).toHaveLength(plan.length - 3);
  });

  it("the results name the violations of the plan and no others", () => {
    expect(violationsOf(saved, plan)).toEqual([{ tier: "T2", case: 207, why: "I1 twice", again: "again" }]);
  });

  it("the results are printed as a plain table and as Markdown", () => {
    const results = resultsOf(saved, plan.slice(0, 10));
    expect(plainTable(results)).toBe(
      [
        "tier  what holds   cases  violations   time  figures",
        "T2    it holds T2    300           1  6.0 s  7 kills, p99 20 ms",
        "1 violation in 300 cases",
      ].join("\n"),
    );
    expect(markdownTable(results, { date: "2026-03-01", machine: "a machine" })).toContain(
      "| T2 | it holds T2 | 300 | 1 | 6.0 s | 7 kills, p99 20 ms |",
    );
  });

  it("durations are printed in readable units", () => {
    expect([400, 12_000, 185_000, 4_320_000].map(formatDuration)).toEqual([
      "0.4 s",
      "12 s",
      "3 min 05 s",
      "1 h 12 min",
    ]);
  });
});

describe("a run that is interrupted", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tillkit-prove-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("an interrupted run reads back its saved slices", () => {
    const path = join(folder, "deeper", "run.json");
    const saved: SavedRun = { share: 0.5, seed: 2, part: WHOLE, slices: [doneSlice("T2", 0, 100, [0, 1], {})] };
    expect(readSavedRun(path)).toBeNull();
    writeSavedRun(path, saved);
    expect(readSavedRun(path)).toEqual(saved);
  });

  it("a run with another seed, share or part is saved separately", () => {
    const settings = [{ seed: 1 }, { seed: 2 }, { share: 0.01 }, { part: { index: 1, of: 2 } }];
    const paths = settings.map((changes) => savedRunPath({ seed: 1, share: 1, part: WHOLE, ...changes }));
    expect(new Set(paths).size).toBe(settings.length);
  });

  it("a file that is no saved run is rejected", () => {
    expect(() => readSavedRun(join(import.meta.dirname, "tier.ts"))).toThrow("is no saved run");
  });
});

describe("the progress line", () => {
  it("the progress line is overwritten on a terminal and removed at the end", async () => {
    const written: string[] = [];
    const screen = { isTTY: true, columns: 60, write: (text: string) => written.push(text) };
    const tasks = planOf({ tiers: [many], share: 1, seed: 1, part: WHOLE, only: null });
    const [done, ...todo] = tasks;
    const progress = createProgress(screen, todo, () => (done?.slice.to ?? 0) - (done?.slice.from ?? 0));
    const [first] = todo;
    if (first) {
      progress.taskStarted(first);
      progress.taskEnded(first, { cases: 100, violations: 2 });
    }
    await expect.poll(() => written.length).toBeGreaterThan(0);
    progress.stop();
    expect(written[0]).toMatch(/^\r.*T2 {2}200\/1,000 .* left {2}2 violations$/);
    expect(written.at(-1)).not.toContain("T2");
  });
});

function tier(id: Tier["id"], changes: Partial<Tier>): Tier {
  const run = async ({ from, to }: { from: number; to: number }) => ({ cases: to - from, violations: [] });
  return { id, title: `it holds ${id}`, cases: 1, quick: 1, slice: 1, exclusive: false, run, ...changes };
}

function doneSlice(
  id: Tier["id"],
  from: number,
  to: number,
  [startedAt, endedAt]: [number, number],
  changes: Partial<Outcome>,
): DoneSlice {
  return { tier: id, from, to, startedAt, endedAt, more: 0, outcome: { cases: to - from, violations: [], ...changes } };
}

function nameOf({ tier: { id }, slice }: Task): string {
  return `${id} ${slice.from} ${slice.to}`;
}
