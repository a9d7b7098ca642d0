import { limits } from "../limits.ts";
import { type Change, changeState, type Service } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import { completeTransaction, expireSession, readTransaction } from "./transactions.ts";

type Due = { at: number; kind: "complete" | "expire"; id: string };

/**
 * Does what fell due by now, in the order in which it fell due and at that time, and answers when the next thing does.
 * So a payment that completes at 10:14 is completed, even when the clock jumps over the end of its session at 11:00.
 */
export async function runTimetable(service: Service): Promise<number> {
  for (;;) {
    const now = service.clock.now();
    const due = await nextDue(service.store.rows);
    const first = due[0]?.at ?? Number.POSITIVE_INFINITY;
    if (first > now) return first;
    await changeState(service, async (change) => {
      for (const item of due.filter(({ at }) => at <= now)) await doOne({ ...change, now: item.at }, item);
    });
  }
}

async function doOne(change: Change, { kind, id }: Due): Promise<void> {
  if (kind === "expire") return expireSession(change, id);
  const transaction = await readTransaction(change.rows, id);
  if (transaction.status === "pending") await completeTransaction(change, transaction);
}

/** The next things, oldest first. Of two at the same moment the payment goes first: a success wins over expiry. */
async function nextDue(rows: Rows): Promise<readonly Due[]> {
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
  const due: Due[] = [
    ...completing.map((row): Due => ({ at: row.completes_at ?? 0, kind: "complete", id: row.transaction_id })),
    ...expiring.map((row): Due => ({ at: row.expires_at, kind: "expire", id: row.session_id })),
  ];
  // The shorter of two cut lists says how far both are known.
  return due.sort((a, b) => a.at - b.at).slice(0, limits.dueAtOnce);
}
