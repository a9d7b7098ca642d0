import { limits } from "@tillkit/core";
import type { Service, TransactionReading } from "@tillkit/core/hosts";
import { namesTransaction } from "@tillkit/core/ledger";

/** What a doctor says about the transactions of one key. `message`: one sentence that says what is right, or what follows. */
export type TransactionNaming = { readonly status: "ok" | "warning"; readonly message: string };

const DAY_MS = 86_400_000;
const SEARCHED_DAYS = 90;
/** Other sales on the same key name no session, so one of several transactions is enough. */
const MAX_TRANSACTIONS = 20;

/**
 * Checks whether the service says which transaction paid which session. Where it does not, a person must choose the transaction of a
 * payment before its first refund.
 */
export async function examineTransactions(
  service: Service,
  { account, now }: { readonly account: string | null; readonly now: number },
): Promise<TransactionNaming> {
  const completed = await newestCompleted(service, account, now - SEARCHED_DAYS * DAY_MS);
  const [newest] = completed;
  if (newest?.id === undefined)
    return {
      status: "warning",
      message:
        "No transaction is completed yet, so it is not known whether the service names them: pay once, then run this again.",
    };
  const chosen = completed.find(isTied) ?? newest;
  const query = { id: chosen.id ?? newest.id, account, deadlineMs: limits.serviceCallMs };
  const read = (await service.readTransaction(query)) ?? chosen;
  if (!isTied(read))
    return {
      status: "warning",
      message: `None of the newest ${completed.length} completed transactions names a session or a payment: before its first refund, a person chooses the transaction of a payment on its page or with tillkit payments name-transaction, unless the session names it.`,
    };
  const ties = [
    ...(read.sessionId === undefined ? [] : ["its session"]),
    ...(read.reference === undefined ? [] : ["our payment"]),
  ];
  const back = (await isNamedBySession(service, read)) ? ", and the session names its transaction" : "";
  return {
    status: "ok",
    message: `A transaction names ${ties.join(" and ")}${back}: refunds find it by themselves.`,
  };
}

async function newestCompleted(
  service: Service,
  account: string | null,
  from: number,
): Promise<readonly TransactionReading[]> {
  const found: TransactionReading[] = [];
  for await (const row of service.listTransactions({ from, account, deadlineMs: limits.serviceCallMs })) {
    if (row.status === "completed") found.push(row);
    if (found.length >= MAX_TRANSACTIONS) break;
  }
  return found;
}

function isTied({ sessionId, reference }: TransactionReading): boolean {
  return sessionId !== undefined || reference !== undefined;
}

async function isNamedBySession(service: Service, { id, code, sessionId }: TransactionReading): Promise<boolean> {
  if (sessionId === undefined) return false;
  const session = { id: sessionId, url: "", expiresAt: 0 };
  const named = await service.readSession({ id: "", session }, limits.serviceCallMs).then(
    ({ transactionId }) => transactionId ?? "",
    () => "",
  );
  return namesTransaction(named, { id: id ?? "", code: code ?? null });
}
