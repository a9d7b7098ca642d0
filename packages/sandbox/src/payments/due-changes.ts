import { limits } from "../domain/limits.ts";
import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { completeTransaction, expireSession } from "./payment-outcomes.ts";
import { readTransaction } from "./transactions.ts";

type DueChange = { at: number; kind: "complete" | "expire"; id: string };

/**
 * Completes due payments and expires due sessions, in the order of their due times, and returns the next due time. Each
 * change is recorded at its due time. A payment that completes at 10:14 therefore completes, even when the clock jumps past
 * the expiry of its session at 11:00.
 */
export async function runDueChanges(service: Service): Promise<number> {
  for (;;) {
    const now = service.clock.now();
    const due = await readDueChanges(service.store.database);
    const firstDueAt = due[0]?.at ?? Number.POSITIVE_INFINITY;
    if (firstDueAt > now) return firstDueAt;
    await inDatabaseTransaction(service, async (context) => {
      for (const change of due.filter(({ at }) => at <= now)) {
        await applyDueChange({ ...context, now: change.at }, change);
      }
    });
  }
}

async function applyDueChange(context: WriteContext, { kind, id }: DueChange): Promise<void> {
  if (kind === "expire") return expireSession(context, id);
  const transaction = await readTransaction(context.database, id);
  if (transaction.status === "pending") await completeTransaction(context, transaction);
}

/** The next due changes, oldest first. At equal times the payment is first, because a success wins over expiry. */
async function readDueChanges(database: SandboxDatabase): Promise<readonly DueChange[]> {
  const completing = await database
    .selectFrom("transactions")
    .select(["transaction_id", "completes_at"])
    .where("status", "=", "pending")
    .where("completes_at", "is not", null)
    .orderBy("completes_at")
    .limit(limits.dueAtOnce)
    .execute();
  const expiring = await database
    .selectFrom("sessions")
    .select(["session_id", "expires_at"])
    .where("status", "=", "open")
    .orderBy("expires_at")
    .limit(limits.dueAtOnce)
    .execute();
  const due: DueChange[] = [
    ...completing.map((row): DueChange => ({ at: row.completes_at ?? 0, kind: "complete", id: row.transaction_id })),
    ...expiring.map((row): DueChange => ({ at: row.expires_at, kind: "expire", id: row.session_id })),
  ];
  // Each query has the same limit, so up to this limit no change is missing from the merged list.
  return due.sort((a, b) => a.at - b.at).slice(0, limits.dueAtOnce);
}
