import type { BudgetWindow, SharedBudget } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "./database/schema.ts";

type SpendRequest = Parameters<SharedBudget["spend"]>[0];

/** Thrown to roll back: a call that one window refuses must not count in the other windows. */
class LimitReached extends Error {}

/** Counts one call in every window. Returns 0, or the milliseconds to wait when a window's limit is reached. */
export async function spendCalls({ db, transaction }: Database<LedgerSchema>, request: SpendRequest): Promise<number> {
  try {
    await transaction(async (session) => {
      // Every transaction takes the rows in the same order, so that two transactions cannot deadlock.
      for (const window of sortedByName(request.windows)) await spendInWindow(session, request, window);
    });
    return 0;
  } catch (error) {
    if (error instanceof LimitReached) {
      await transaction((session) => moveToCurrentWindow(session, request));
      return await timeUntilAllowed(db, request);
    }
    throw error;
  }
}

/**
 * A process whose clock is behind counts its call in the newest window. A window that begins later than the next one was opened by a
 * clock that was ahead: its calls were made now, so they count in the current window.
 */
async function spendInWindow(
  session: Session,
  { credentialId, now }: SpendRequest,
  { name, perMs, calls: maxCalls }: BudgetWindow,
): Promise<void> {
  if (maxCalls < 1) throw new LimitReached();
  const { rows } = await sql`
    insert into tillkit_budgets as budget (credential_id, name, window_started_at, spent)
    values (${credentialId}, ${name}, ${startOfWindow(now, perMs)}, 1)
    on conflict (credential_id, name) do update set
      spent = case when budget.window_started_at < excluded.window_started_at then 1 else budget.spent + 1 end,
      window_started_at = case when budget.window_started_at between excluded.window_started_at and ${nextWindow(now, perMs)}
        then budget.window_started_at else excluded.window_started_at end
      where budget.window_started_at < excluded.window_started_at or budget.spent < ${maxCalls}
    returning spent`.execute(session);
  if (rows.length === 0) throw new LimitReached();
}

/** Moves the windows that a clock ahead has used up, because a refused call changes no window. */
async function moveToCurrentWindow(session: Session, { credentialId, now, windows }: SpendRequest): Promise<void> {
  for (const { name, perMs } of sortedByName(windows)) {
    await session
      .updateTable("tillkit_budgets")
      .set({ window_started_at: startOfWindow(now, perMs) })
      .where("credential_id", "=", credentialId)
      .where("name", "=", name)
      .where("window_started_at", ">", nextWindow(now, perMs))
      .execute();
  }
}

async function timeUntilAllowed(session: Session, { credentialId, now, windows }: SpendRequest): Promise<number> {
  const rows = await session
    .selectFrom("tillkit_budgets")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .execute();
  const waits = windows.map(({ name, perMs, calls: maxCalls }) => {
    const stored = rows.find((row) => row.name === name);
    const startedAt = Math.max(startOfWindow(now, perMs), stored?.window_started_at ?? 0);
    const spent = stored?.window_started_at === startedAt ? stored.spent : 0;
    return spent < maxCalls ? 0 : startedAt + perMs - now;
  });
  // A window may have become free since the refusal. One millisecond makes the caller try again.
  return Math.max(1, ...waits);
}

function startOfWindow(now: number, perMs: number): number {
  return Math.floor(now / perMs) * perMs;
}

function nextWindow(now: number, perMs: number): number {
  return startOfWindow(now, perMs) + perMs;
}

function sortedByName(windows: readonly BudgetWindow[]): readonly BudgetWindow[] {
  return [...windows].sort((left, right) => (left.name < right.name ? -1 : 1));
}
