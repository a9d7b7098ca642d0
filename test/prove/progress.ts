import { formatCount, formatDuration } from "./format-numbers.ts";
import type { Task } from "./plan.ts";
import type { Tier } from "./tier.ts";

/** Prints the progress of a run: one line that is overwritten on a terminal, else one line every ten seconds. */
export type Progress = {
  taskStarted(task: Task): void;
  taskEnded(task: Task, found: { readonly cases: number; readonly violations: number }): void;
  /** Removes the line, so that other output can follow. */
  stop(): void;
};

type Screen = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

type TierProgress = { done: number; readonly total: number; readonly doneBefore: number; readonly startedAt: number };

/**
 * @param tasks what this run has to do
 * @param finishedBefore returns how many cases of a tier an earlier run has finished, which no task repeats
 */
export function createProgress(
  screen: Screen,
  tasks: readonly Task[],
  finishedBefore: (tier: Tier) => number,
): Progress {
  const progressByTier = new Map<Tier, TierProgress>();
  let current: Tier | null = null;
  let violations = 0;
  const timer = setInterval(show, screen.isTTY ? 500 : 10_000);

  function show(): void {
    if (current === null) return;
    const text = lineOf(current, progressByTier.get(current), violations);
    screen.write(screen.isTTY ? `\r\x1b[2K${text.slice(0, (screen.columns ?? 80) - 1)}` : `${text}\n`);
  }

  return {
    taskStarted({ tier }) {
      if (!progressByTier.has(tier)) {
        const doneBefore = finishedBefore(tier);
        const total = doneBefore + casesIn(tasks, tier);
        progressByTier.set(tier, { done: doneBefore, total, doneBefore, startedAt: performance.now() });
      }
      current = tier;
    },
    taskEnded({ tier }, found) {
      const progress = progressByTier.get(tier);
      if (progress) progress.done += found.cases;
      violations += found.violations;
    },
    stop() {
      clearInterval(timer);
      if (screen.isTTY) screen.write("\r\x1b[2K");
    },
  };
}

function lineOf(tier: Tier, progress: TierProgress | undefined, violations: number): string {
  const { done = 0, total = 0, doneBefore = 0, startedAt = 0 } = progress ?? {};
  const elapsed = performance.now() - startedAt;
  const rate = ((done - doneBefore) / elapsed) * 1_000;
  const remaining = rate > 0 ? `${formatDuration(((total - done) / rate) * 1_000)} left` : "measuring";
  const speed = rate >= 1 || rate === 0 ? `${formatCount(Math.round(rate))}/s` : `${formatCount(rate * 60)}/min`;
  return `${tier.id}  ${formatCount(done)}/${formatCount(total)}  ${speed}  ${remaining}  ${formatCount(violations)} violations`;
}

function casesIn(tasks: readonly Task[], tier: Tier): number {
  return tasks.filter((task) => task.tier === tier).reduce((total, { slice }) => total + slice.to - slice.from, 0);
}
