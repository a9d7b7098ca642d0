import type { BudgetWindow, SharedBudget } from "../ports/shared-budget.ts";
import { pairKey } from "./pair-key.ts";

type WindowUse = { readonly startedAt: number; readonly spent: number };

export function createMemoryBudgets(): SharedBudget {
  const budgets = new Map<string, WindowUse>();

  // A caller whose clock is behind counts its call in the newest window. A window that begins later than the next one was opened by a
  // clock that was ahead: its calls were made now, so they count in the current window.
  function newestWindow(key: string, now: number, { perMs }: BudgetWindow): WindowUse {
    const startedAt = Math.floor(now / perMs) * perMs;
    const known = budgets.get(key);
    if (known === undefined || known.startedAt < startedAt) return { startedAt, spent: 0 };
    if (known.startedAt <= startedAt + perMs) return known;
    const moved = { startedAt, spent: known.spent };
    budgets.set(key, moved);
    return moved;
  }

  return {
    async spend({ credentialId, now, windows }) {
      const newest = windows.map((window) => {
        const key = pairKey(credentialId, window.name);
        return { key, window, ...newestWindow(key, now, window) };
      });
      const waits = newest.map(({ window, startedAt, spent }) =>
        spent < window.calls ? 0 : startedAt + window.perMs - now,
      );
      const waitMs = Math.max(0, ...waits);
      if (waitMs === 0)
        for (const { key, startedAt, spent } of newest) budgets.set(key, { startedAt, spent: spent + 1 });
      return waitMs;
    },
  };
}
