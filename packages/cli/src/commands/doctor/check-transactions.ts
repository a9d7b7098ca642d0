import type { ServiceClient } from "@tillkit/client";
import type { Service, TransactionReading } from "@tillkit/core";
import { bad, type Check, careful, good } from "./check.ts";

const DAY_MS = 86_400_000;
const SEARCHED_DAYS = 90;
/** Other sales on the same key name no session, so one of several transactions is enough. */
const MAX_TRANSACTIONS = 20;
const DEADLINE_MS = 20_000;

/**
 * Checks whether the service says which transaction paid which session. Where it does not, a person must choose the transaction of a
 * payment before its first refund.
 */
export async function checkTransactions(client: ServiceClient): Promise<Check> {
  const { serviceFromClient, systemClock } = await import("@tillkit/core");
  const service = serviceFromClient(client, systemClock);
  const completed = await newestCompleted(service, systemClock.now() - SEARCHED_DAYS * DAY_MS);
  const [newest] = completed;
  if (newest?.id === undefined)
    return careful(
      "transactions",
      "No transaction is completed yet, so it is not known whether the service names them: pay once, then run this again.",
    );
  const chosen = completed.find(isTied) ?? newest;
  const query = { id: chosen.id ?? newest.id, account: null, deadlineMs: DEADLINE_MS };
  const read = (await service.readTransaction(query)) ?? chosen;
  if (!isTied(read))
    return careful(
      "transactions",
      `None of the newest ${completed.length} completed transactions names a session or a payment: before its first refund, a person chooses the transaction of a payment on its page or with tillkit payments name-transaction, unless the session names it.`,
    );
  const ties = [
    ...(read.sessionId === undefined ? [] : ["its session"]),
    ...(read.reference === undefined ? [] : ["our payment"]),
  ];
  const back = (await isNamedBySession(client, read)) ? ", and the session names its transaction" : "";
  return good("transactions", `A transaction names ${ties.join(" and ")}${back}: refunds find it by themselves.`);
}

/** What to do about an error of the service that stopped the checks; other errors are thrown on. */
export function refusedKey(error: unknown): Check {
  if (!(error instanceof Error && "code" in error && error.code === "unauthorized")) throw error;
  return bad(
    "key",
    "The service refuses this API key (unauthorized): it was revoked, replaced or mistyped. Create a key in the service's dashboard and put it in the place of the old one, in SERVICE_SECRET_KEY or the profile here, and in the server's configuration under the same credential id.",
  );
}

async function newestCompleted(service: Service, from: number): Promise<readonly TransactionReading[]> {
  const found: TransactionReading[] = [];
  for await (const row of service.listTransactions({ from, account: null, deadlineMs: DEADLINE_MS })) {
    if (row.status === "completed") found.push(row);
    if (found.length >= MAX_TRANSACTIONS) break;
  }
  return found;
}

function isTied({ sessionId, reference }: TransactionReading): boolean {
  return sessionId !== undefined || reference !== undefined;
}

async function isNamedBySession(client: ServiceClient, { id, code, sessionId }: TransactionReading): Promise<boolean> {
  if (sessionId === undefined) return false;
  const { namesTransaction } = await import("@tillkit/core");
  const named = await client.checkoutSessions.read(sessionId).then(
    ({ data }) => data.transactionId ?? "",
    () => "",
  );
  return namesTransaction(named, { id: id ?? "", code: code ?? null });
}
