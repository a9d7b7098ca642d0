import type { CheckoutSession, ServiceClient } from "@tillkit/client";
import type { Ledger, Payment } from "@tillkit/core";
import type { Command } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import { parseCount } from "../command-line/parse-number.ts";
import type { Terminal } from "../command-line/terminal.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, readLedger } from "../options/ledger-option.ts";
import { openRequiredService, requiredServiceOptions } from "../options/service-option.ts";

/** Payments that may still be paid, or are paid and missing from their order. */
const UNSETTLED = ["open", "superseded", "expired", "closed", "verified"] as const;

export const reconcile: Command = {
  name: "reconcile",
  summary: "Compare unsettled payments of a ledger with the service and name those that are paid; changes nothing",
  positionals: [],
  options: {
    "dry-run": { description: "required: the server itself corrects a difference, as the daily comparison does" },
    store: { value: "store id", description: "only payments of this store" },
    limit: { value: "number", description: "how many payments to read, newest first; the default is 200" },
    ...ledgerOptions,
    ...requiredServiceOptions,
    json: { description: "print one line of JSON for each difference" },
  },
  example: "tillkit reconcile --dry-run --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    if (!args.flags.has("dry-run"))
      throw new UsageError("Add --dry-run: this command only compares, and the running server corrects its orders.");
    const limit = parseCount("limit", args.values.get("limit") ?? "200", 10_000);
    const client = await openRequiredService(args);
    await readLedger(args, async (ledger) => {
      const payments = await listUnsettled(ledger, args.values.get("store"), limit);
      await compareAll(client, payments, args.flags.has("json"), terminal);
    });
  },
};

async function compareAll(client: ServiceClient, payments: readonly Payment[], json: boolean, terminal: Terminal) {
  let unreadableCount = 0;
  let differenceCount = 0;
  for (const payment of payments) {
    const session = await readSession(client, payment);
    if (session === null) {
      unreadableCount += 1;
      continue;
    }
    const difference = differenceOf(payment, session);
    if (difference === null) continue;
    differenceCount += 1;
    terminal.log(json ? JSON.stringify(rowOf(payment, difference)) : `${nameOf(payment)}: ${difference}`);
  }
  const counts = `${formatCount(differenceCount, "difference")}, ${unreadableCount} could not be read`;
  if (!json) terminal.log(`Read ${formatCount(payments.length, "unsettled payment")}: ${counts}.`);
  if (unreadableCount > 0)
    throw new Error("Not every session could be read: check that the key belongs to this ledger.");
}

async function listUnsettled(ledger: Ledger, storeId: string | undefined, limit: number): Promise<readonly Payment[]> {
  const { allPages } = await import("@tillkit/runtime");
  const query = { states: UNSETTLED, ...(storeId === undefined ? {} : { storeId }) };
  const found: Payment[] = [];
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, ...page }))) {
    found.push(...payments.filter(({ session }) => session !== null));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** Null when the service does not know the session, which happens with a key of another account. */
async function readSession(client: ServiceClient, { session }: Payment): Promise<CheckoutSession | null> {
  const { isServiceError } = await import("@tillkit/client");
  return client.checkoutSessions.read(session?.id ?? "").then(
    ({ data }) => data,
    (error: unknown) => {
      if (isServiceError(error) && error.code === "not_found") return null;
      throw error;
    },
  );
}

/** What the service says otherwise than the ledger, as a sentence; null when both agree. */
function differenceOf({ state, wireAmount, amountDue }: Payment, session: CheckoutSession): string | null {
  if (session.status !== "completed")
    return state === "verified" ? `the ledger knows it as paid, the service says ${session.status}` : null;
  const isSame = session.amount === wireAmount && session.currencyCode === amountDue.currency;
  if (!isSame) return `paid at the service with another amount: ${session.amount} ${session.currencyCode}`;
  return state === "verified"
    ? "paid, and its order does not show it yet"
    : "paid at the service, and the ledger does not know it yet";
}

function nameOf({ id, ref, orderNumber }: Payment): string {
  return `order ${orderNumber || ref.orderId} of ${ref.storeId}, payment ${id}`;
}

function rowOf({ id, ref, state }: Payment, difference: string) {
  return { payment: id, store: ref.storeId, order: ref.orderId, state, difference };
}
