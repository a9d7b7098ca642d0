import { explainFinding, explainPayment } from "@tillkit/core";
import { formatJobError } from "@tillkit/core/ledger";
import { allPages } from "@tillkit/runtime";
import { z } from "zod";
import { findTarget } from "../../options/find-target.ts";
import { type LedgerAddress, useLedger } from "../../options/ledger-option.ts";
import { isoTime } from "../../options/row-options.ts";
import { idInput, limitInput, storeInput } from "./inputs.ts";
import { type Tool, tool } from "./tool.ts";
import { MAX_ROWS } from "./write-answer.ts";

/** The tools that read a ledger. It is opened for each call and for reading only, so the database refuses every write. */
export function ledgerTools(address: LedgerAddress): readonly Tool[] {
  const read = { ...address, readOnly: true };
  return [
    tool({
      name: "explain",
      description:
        "The timeline of a payment, or of an order and all its payments: what happened, when, by whom, and why an order is not paid.",
      input: z.object({
        id: idInput.describe("payment, session (cs_…), transaction (txn_…), order number, or the address of its page"),
        store: storeInput.optional().describe("needed only when several stores have an order of this number"),
        language: z.enum(["en", "fr"]).default("en"),
      }),
      effect: "looks",
      run: async ({ id, store, language }) =>
        useLedger(read, async (ledger) => {
          const target = await findTarget(ledger, id, store);
          const { headline, entries } = await explainPayment({ ledger }, target, language, "operator");
          const rows = entries.map(({ at, actor, text }) => ({ at: isoTime(at), actor, untrusted: { text } }));
          // The newest entries say how it stands.
          return { facts: { untrusted: { headline }, entries: rows.length }, rows: rows.slice(-MAX_ROWS) };
        }),
    }),
    tool({
      name: "list_holds",
      description:
        "Held payments, newest first: money arrived with a difference or twice, and the shop's owner decides. Only they can.",
      input: z.object({ store: storeInput.optional(), limit: limitInput }),
      effect: "looks",
      run: async ({ store, limit }) =>
        useLedger(read, async (ledger) => {
          const { HELD_STATES } = await import("@tillkit/core/back-office");
          const query = { states: HELD_STATES, ...storeOf(store) };
          const items = await take((page) => ledger.listPayments({ ...query, ...page }), limit);
          const rows = items.map(({ id, createdAt, ref, orderNumber, amountDue, amountReceived, finding }) => ({
            payment: id,
            created: isoTime(createdAt),
            due: amountDue,
            received: amountReceived,
            finding: finding?.code ?? null,
            untrusted: {
              store: ref.storeId,
              order: orderNumber || ref.orderId,
              reason: finding ? explainFinding(finding, "en", "operator") : null,
            },
          }));
          return { rows };
        }),
    }),
    tool({
      name: "list_jobs",
      description:
        "Jobs of the ledger, newest first, or only dead-letter jobs, which were given up and wait for a person.",
      input: z.object({ store: storeInput.optional(), deadLetter: z.boolean().default(false), limit: limitInput }),
      effect: "looks",
      run: async ({ store, deadLetter, limit }) =>
        useLedger(read, async (ledger) => {
          const query = { ...(deadLetter ? { dead: true } : {}), ...storeOf(store) };
          const items = await take((page) => ledger.listJobs({ ...query, ...page }), limit);
          // The payload stays inside, because a platform can store personal data in it.
          const rows = items.map(({ id, kind, storeId, paymentId, dueAt, readyAt, attempts, error }) => ({
            id,
            kind,
            payment: paymentId,
            due: isoTime(dueAt),
            ready: isoTime(readyAt),
            attempts,
            untrusted: { store: storeId, error: error && formatJobError(error) },
          }));
          return { rows };
        }),
    }),
  ];
}

/** The first rows of a list; a page of a ledger may hold fewer rows than were asked for. */
async function take<Row>(read: Parameters<typeof allPages<Row>>[0], limit: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of allPages(read)) {
    rows.push(...page);
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}

function storeOf(storeId: string | undefined): { readonly storeId?: string } {
  return storeId === undefined ? {} : { storeId };
}
