import type { BudgetWindow, SharedBudget } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "./schema.ts";

type Spend = Parameters<SharedBudget["spend"]>[0];

/** Thrown so that nothing is taken out of any window. */
class NoRoom extends Error {}

export async function spend({ db, transaction }: Database<LedgerSchema>, want: Spend): Promise<number> {
  try {
    await transaction(async (session) => {
      // In one order: two who spend at once cannot wait for each other in a circle.
      for (const window of inOrder(want.windows)) await take(session, want, window);
    });
    return 0;
  } catch (error) {
    if (error instanceof NoRoom) return await waitFor(db, want);
    throw error;
  }
}

/** Whoever has a clock that is behind counts into the newest window. */
async function take(session: Session, { credentialId, now }: Spend, { name, perMs, calls }: BudgetWindow) {
  if (calls < 1) throw new NoRoom();
  const { rows } = await sql`
    insert into tillkit_budgets as budget (credential_id, name, began_at, spent)
    values (${credentialId}, ${name}, ${beginOf(now, perMs)}, 1)
    on conflict (credential_id, name) do update set
      spent = case when budget.began_at < excluded.began_at then 1 else budget.spent + 1 end,
      began_at = case when budget.began_at < excluded.began_at then excluded.began_at else budget.began_at end
      where budget.began_at < excluded.began_at or budget.spent < ${calls}
    returning spent`.execute(session);
  if (rows.length === 0) throw new NoRoom();
}

async function waitFor(session: Session, { credentialId, now, windows }: Spend): Promise<number> {
  const rows = await session
    .selectFrom("tillkit_budgets")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .execute();
  const waits = windows.map(({ name, perMs, calls }) => {
    const row = rows.find((one) => one.name === name);
    const beganAt = Math.max(beginOf(now, perMs), row?.began_at ?? 0);
    const spent = row?.began_at === beganAt ? row.spent : 0;
    return spent < calls ? 0 : beganAt + perMs - now;
  });
  // At least a moment: room that appeared meanwhile is found by asking again.
  return Math.max(1, ...waits);
}

function beginOf(now: number, perMs: number): number {
  return Math.floor(now / perMs) * perMs;
}

function inOrder(windows: readonly BudgetWindow[]): readonly BudgetWindow[] {
  return [...windows].sort((left, right) => (left.name < right.name ? -1 : 1));
}
