import type { Explanation, Language, Ledger } from "@tillkit/core";
import type { Command } from "../command-line/command.ts";
import { formatTime } from "../command-line/format-time.ts";
import { printJson } from "../command-line/print-rows.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { findTarget, type Target } from "../options/find-target.ts";
import { ledgerOptions, readLedger } from "../options/ledger-option.ts";
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
    await readLedger(args, async (ledger) => {
      const target = await findTarget(ledger, id, storeId);
      const { explainPayment } = await import("@tillkit/core");
      const explanation = await explainPayment({ ledger }, target, language, "operator");
      const nextCheckAt = await nextCheckOf(ledger, target);
      if (args.flags.has("json"))
        return printJson(terminal, { ...rowOf(explanation), nextCheck: isoTime(nextCheckAt) });
      terminal.log(formatTimeline(explanation));
      if (nextCheckAt !== null) terminal.log(`\n${nextCheckSentence(nextCheckAt, language)}`);
    });
  },
};

/** When the next job of the payment, or of the order's payments, is due; null when none is planned. */
async function nextCheckOf(ledger: Ledger, target: Target): Promise<number | null> {
  const { allPages } = await import("@tillkit/runtime");
  const ids = "ref" in target ? (await ledger.paymentsOfOrder(target.ref)).map(({ id }) => id) : [target.paymentId];
  const times: number[] = [];
  for (const paymentId of ids)
    for await (const jobs of allPages((page) => ledger.listJobs({ paymentId, ...page })))
      times.push(...jobs.flatMap(({ readyAt }) => (readyAt === null ? [] : [readyAt])));
  return times.length === 0 ? null : Math.min(...times);
}

const LONGEST_WAIT_MS = 10 * 60_000;

function nextCheckSentence(at: number, language: Language): string {
  const time = formatTime(at);
  const isLate = at < Date.now() - LONGEST_WAIT_MS;
  if (language === "fr")
    return isLate
      ? `Une vérification attend depuis ${time} : démarrez le serveur qui travaille sur ce registre.`
      : `Prochaine vérification : ${time}.`;
  return isLate
    ? `A check has been waiting since ${time}: start the server that works on this ledger.`
    : `Next check: ${time}.`;
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
