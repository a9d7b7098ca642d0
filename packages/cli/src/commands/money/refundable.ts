import type { ServiceClient, Transaction } from "@tillkit/client";
import type { ServiceEvent } from "@tillkit/client/webhooks";
import type { Equation } from "@tillkit/core";
import type { CommandLine } from "../../command-line/command.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { findPaymentById } from "../../options/find-target.ts";
import { ledgerUrl, useLedger } from "../../options/ledger-option.ts";
import { isoTime } from "../../options/row-options.ts";

const LOGS_PER_PAGE = 100;
/** So many logs of one endpoint are read at most: every attempt to deliver any event is one. */
const MAX_LOGS = 10_000;
const MAX_PENDING_REFUNDS = 1_000;

/**
 * A payment of a ledger is refunded where its disputes, its refunds under way and its order are known.
 * @throws Error that names the payment
 */
export async function assertNotInLedger(args: CommandLine, { id, publicId, sessionId }: Transaction): Promise<void> {
  const url = ledgerUrl(args);
  if (url === undefined) return;
  await useLedger({ url, schema: args.values.get("schema"), readOnly: true }, async (ledger) => {
    for (const name of [id, publicId, sessionId]) {
      const payment = name === undefined ? null : await findPaymentById(ledger, name);
      if (payment !== null)
        throw new Error(
          `This transaction is of payment ${payment.id} of the ledger: refund it with tillkit payments refund ${payment.id}.`,
        );
    }
  });
}

/**
 * Where the money of a transaction is, by all that the service shows without a ledger, in the service's unit. A pending refund that names no
 * transaction may be of this one. @throws Error where the service does not tell the amount
 */
export async function equationAtService(client: ServiceClient, id: string, terminal: Terminal) {
  const { equationOfTransaction, namesTransaction } = await import("@tillkit/core/ledger");
  const found = await client.refunds.list({ status: "pending", limit: 100 }).toArray({ limit: MAX_PENDING_REFUNDS });
  // Read after the list: a refund that is completed meanwhile counts twice instead of never.
  const { data: transaction } = await client.transactions.read(id);
  const { grossAmount, refundedAmount = 0, currencyCode: currency = "", publicId: code = null } = transaction;
  if (grossAmount === undefined)
    throw new Error("The service did not tell the amount of this transaction: nothing was refunded.");
  const named = { id: transaction.id ?? id, code };
  const pending = found.filter(({ status }) => status !== "completed" && status !== "failed");
  const own = pending.filter(({ transactionId: name }) => name === undefined || namesTransaction(name, named));
  const refunds = own.map(({ amount = grossAmount }) => ({ state: "pending" as const, amount: inUnit(amount) }));
  const equation: Equation = equationOfTransaction(named.id, inUnit(grossAmount), {
    refunds: [{ state: "completed", amount: inUnit(refundedAmount) }, ...refunds],
    disputes: await disputesAtService(client, transaction, named, terminal),
  });
  return { transaction, equation };

  function inUnit(minor: number) {
    return { minor, currency };
  }
}

// The service lists no disputes: only the bodies that were sent to webhook endpoints report them.
async function disputesAtService(
  client: ServiceClient,
  { sessionId, createdAt = 0 }: Transaction,
  named: { readonly id: string; readonly code: string | null },
  terminal: Terminal,
) {
  const { systemClock } = await import("@tillkit/core");
  const { reportedDisputes } = await import("@tillkit/core/hosts");
  const { namesTransaction } = await import("@tillkit/core/ledger");
  const isOwn = ({ transactionId = "", sessionId: ofEvent = "" }: ServiceEvent) =>
    transactionId === "" ? ofEvent !== "" && ofEvent === sessionId : namesTransaction(transactionId, named);
  const events: ServiceEvent[] = [];
  for (const { id = "" } of await client.webhooks.list().toArray({ limit: 1_000 }))
    for await (const event of sentEvents(client, id, createdAt, terminal)) if (isOwn(event)) events.unshift(event);
  return reportedDisputes({ paymentId: "", unit: "minor", now: systemClock.now() }, events);
}

/** What was sent to an endpoint since this time, newest first. */
async function* sentEvents(client: ServiceClient, endpointId: string, since: number, terminal: Terminal) {
  const { parseEvent } = await import("@tillkit/client/webhooks");
  let read = 0;
  for await (const { payload, createdAt = since } of client.webhooks.logs(endpointId, { limit: LOGS_PER_PAGE })) {
    if (createdAt < since) return;
    read += 1;
    if (read > MAX_LOGS) {
      const from = isoTime(createdAt);
      terminal.notice(`Disputes from before ${from} are not read: look for them in the service's dashboard.`);
      return;
    }
    const event = payload && parseEvent(payload);
    if (event) yield event;
  }
}
