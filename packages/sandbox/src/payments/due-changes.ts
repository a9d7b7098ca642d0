import { limits } from "../domain/limits.ts";
import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { Rows } from "../storage/open-store.ts";
import { completeTransaction, expireSession } from "./payment-outcomes.ts";
import { readTransaction } from "./transactions.ts";

type DueChange = { at: number; kind: "complete" | "expire"; id: string };

/**
 * Does what fell due by now, in the order in which it fell due and at that time, and answers when the next thing does.
 * So a payment that completes at 10:14 is completed, even when the clock jumps over the end of its session at 11:00.
 */
export async function runDueChanges(service: Service): Promise<number> {
  for (;;) {
    const now = service.clock.now();
    const due = await readDueChanges(service.store.rows);
    const first = due[0]?.at ?? Number.POSITIVE_INFINITY;
    if (first > now) return first;
    await inDatabaseTransaction(service, async (context) => {
      for (const item of due.filter(({ at }) => at <= now)) await applyDueChange({ ...context, now: item.at }, item);
    });
  }
}

async function applyDueChange(context: WriteContext, { kind, id }: DueChange): Promise<void> {
  if (kind === "expire") return expireSession(context, id);
  const transaction = await readTransaction(context.rows, id);
  if (transaction.status === "pending") await completeTransaction(context, transaction);
}

/** The next things, oldest first. Of two at the same moment the payment goes first: a success wins over expiry. */
async function readDueChanges(rows: Rows): Promise<readonly DueChange[]> {
  const completing = await rows
    .selectFrom("transactions")
    .select(["transaction_id", "completes_at"])
    .where("status", "=", "pending")
    .where("completes_at", "is not", null)
    .orderBy("completes_at")
    .limit(limits.dueAtOnce)
    .execute();
  const expiring = await rows
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
  // The shorter of two cut lists says how far both are known.
  return due.sort((a, b) => a.at - b.at).slice(0, limits.dueAtOnce);
}
