import type { BudgetWindow, SharedBudget } from "../ports/shared-budget.ts";
import { pairKey } from "./pair-key.ts";

type Spent = { readonly beganAt: number; readonly spent: number };

export function createMemoryBudgets(): SharedBudget {
  const budgets = new Map<string, Spent>();

  // Whoever has a clock that is behind counts into the newest window.
  function newest(key: string, now: number, { perMs }: BudgetWindow): Spent {
    const beganAt = Math.floor(now / perMs) * perMs;
    const known = budgets.get(key);
    return known !== undefined && known.beganAt >= beganAt ? known : { beganAt, spent: 0 };
  }

  return {
    async spend({ credentialId, now, windows }) {
      const open = windows.map((window) => {
        const key = pairKey(credentialId, window.name);
        return { key, window, ...newest(key, now, window) };
      });
      const waits = open.map(({ window, beganAt, spent }) => (spent < window.calls ? 0 : beganAt + window.perMs - now));
      const waitMs = Math.max(0, ...waits);
      if (waitMs === 0) for (const { key, beganAt, spent } of open) budgets.set(key, { beganAt, spent: spent + 1 });
      return waitMs;
    },
  };
}
