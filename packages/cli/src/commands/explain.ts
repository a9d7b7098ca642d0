import type { Explanation, Language, Ledger, OrderRef } from "@tillkit/core";
import type { Command } from "../command-line/command.ts";
import { formatTime } from "../command-line/format-time.ts";
import { printJson } from "../command-line/print-rows.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";
import { isoTime } from "../options/row-options.ts";

export const explain: Command = {
  name: "explain",
  summary: "Show the timeline of a payment, or of an order and all its payments, in plain sentences",
  positionals: ["payment or order"],
  options: {
    ...ledgerOptions,
    store: {
      value: "store id",
      description:
        "the argument is an order of this store; needed only when several stores have an order of this number",
    },
    language: { value: "en|fr", description: "English (the default) or French" },
    json: { description: "print one line of JSON" },
  },
  example: "tillkit explain 1042 --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const { positionals, values } = args;
    const [id = ""] = positionals;
    const language = parseLanguage(values.get("language") ?? "en");
    const storeId = values.get("store");
    await withLedger(args, async (ledger) => {
      const target =
        storeId === undefined ? await findTarget(ledger, id) : { ref: await findOrder(ledger, storeId, id) };
      const { explainPayment } = await import("@tillkit/core");
      const explanation = await explainPayment({ ledger }, target, language, "operator");
      if (args.flags.has("json")) printJson(terminal, rowOf(explanation));
      else terminal.log(formatTimeline(explanation));
    });
  },
};

type Target = { readonly paymentId: string } | { readonly ref: OrderRef };

/**
 * Finds the payment with this ID, or the payment of the session or transaction with this ID or code (`cs_…`, `txn_…`), or the order
 * with this number in any store.
 */
async function findTarget(ledger: Ledger, id: string): Promise<Target> {
  const keys = [{ id }, { sessionId: id }, { transactionId: id }, { sessionCode: id }, { transactionCode: id }];
  for (const key of keys) {
    const payment = await ledger.find(key);
    if (payment) return { paymentId: payment.id };
  }
  const orders = await findOrders(ledger, { orderNumber: id });
  const [first, ...others] = orders;
  // Nothing has this ID, and `explainPayment` says so.
  if (first === undefined) return { paymentId: id };
  if (others.length === 0) return { ref: first };
  const stores = orders.map(({ storeId, orderId }) => `${storeId} (order ${orderId})`).join(", ");
  throw new UsageError(`Several orders have the number ${id}: add --store with one of ${stores}.`);
}

/**
 * The order of this store with this ID or, on a platform that shows people a number instead of the ID, with this number. An order
 * that has no payment is returned as if the text were its ID.
 */
async function findOrder(ledger: Ledger, storeId: string, idOrNumber: string): Promise<OrderRef> {
  const ref = { storeId, orderId: idOrNumber };
  if ((await ledger.paymentsOfOrder(ref)).length > 0) return ref;
  const [first, ...others] = await findOrders(ledger, { orderNumber: idOrNumber, storeId });
  if (first === undefined) return ref;
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ orderId }) => orderId).join(", ");
  throw new UsageError(
    `Several orders of ${storeId} have the number ${idOrNumber}: use the ID of one of them: ${ids}.`,
  );
}

async function findOrders(
  ledger: Ledger,
  query: { orderNumber: string; storeId?: string },
): Promise<readonly OrderRef[]> {
  const { allPages } = await import("@tillkit/runtime");
  const orders = new Map<string, OrderRef>();
  for await (const payments of allPages((page) => ledger.listPayments({ ...query, ...page })))
    for (const { ref } of payments) orders.set(JSON.stringify([ref.storeId, ref.orderId]), ref);
  return [...orders.values()];
}

function formatTimeline({ headline, entries }: Explanation): string {
  const width = Math.max(0, ...entries.map(({ actor }) => actor.length));
  const lines = entries.map(({ at, actor, text }) => `${formatTime(at)}  ${actor.padEnd(width)}  ${text}`);
  return lines.length === 0 ? headline : [headline, "", ...lines].join("\n");
}

function rowOf({ headline, entries }: Explanation) {
  return { headline, entries: entries.map(({ at, actor, text }) => ({ at: isoTime(at), actor, text })) };
}

function parseLanguage(text: string): Language {
  if (text === "en" || text === "fr") return text;
  throw new UsageError(`The language must be en or fr, not "${text}".`);
}
