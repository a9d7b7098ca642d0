import type { Command, CommandLine } from "../../command-line/command.ts";
import { confirm } from "../../command-line/confirm.ts";
import { formatTime } from "../../command-line/format-time.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { decisionOptions, serviceDecisionOptions, withDecision } from "./decision.ts";

export const paymentsNameTransaction: Command = {
  name: "payments name-transaction",
  summary:
    "Say once which transaction paid a payment, where the service names none; without --transaction list those that fit",
  positionals: ["payment"],
  options: { transaction: { value: "id", description: "the transaction that paid" }, ...serviceDecisionOptions },
  example: "tillkit payments name-transaction PAYMENT --transaction txn_8QW3ER5TYU7KPA --by Adjoua",
  async run(args, terminal) {
    const transactionId = args.values.get("transaction");
    await withDecision(args, "service", async ({ engine, payment, decide }) => {
      const { formatMoney } = await import("@tillkit/core");
      const { transactionCandidates } = await import("@tillkit/core/back-office");
      if (transactionId === undefined) {
        const candidates = await transactionCandidates(engine, payment.id);
        for (const { id, code, amount, at, provider } of candidates)
          terminal.log(`${code ?? id}  ${formatMoney(amount, "en")}  ${formatTime(at)}  ${provider ?? ""}`.trimEnd());
        if (candidates.length === 0) terminal.log("No transaction fits, or the transaction of this payment is known.");
        return;
      }
      await confirm(`Refunds of payment ${payment.id} will go to the person who made ${transactionId}.`, args);
      await decide({ kind: "nameTransaction", transactionId });
      terminal.log(`The transaction ${transactionId} paid payment ${payment.id}.`);
    });
  },
};

export const paymentsSettleRefund: Command = {
  name: "payments settle-refund",
  summary: "End a refund without an answer, after you have looked in the service's dashboard whether it was made",
  positionals: ["payment"],
  options: {
    key: { value: "key", description: "the key of the refund, as tillkit payments show prints it" },
    made: { description: "the dashboard shows the refund" },
    "not-made": { description: "the dashboard shows no such refund: another refund may be made" },
    ...decisionOptions,
  },
  example: "tillkit payments settle-refund PAYMENT --key KEY --made --by Adjoua --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const wasMade = parseChoice(args, "made", "not-made");
    const key = parseRequired(args, "key");
    await withDecision(args, "ledger", async ({ payment, view, decide }) => {
      const { formatMoney } = await import("@tillkit/core");
      const answer = wasMade ? "was made" : "was not made: if it was, the next refund sends the money a second time";
      await confirm(`The refund ${key} of payment ${payment.id} ${answer}.`, args);
      const refund = await decide({ kind: "looked", refundKey: key, wasMade });
      const amount = formatMoney(refund?.amount ?? view.sum.leaving, "en");
      terminal.log(`${amount} of payment ${payment.id}: the refund is ${refund?.state ?? "settled"}.`);
    });
  },
};

export const paymentsDecideDispute: Command = {
  name: "payments decide-dispute",
  summary: "Say who won a dispute that ended without an outcome; until then its amount counts as lost",
  positionals: ["payment"],
  options: {
    dispute: { value: "id", description: "the dispute, as tillkit payments show prints it" },
    won: { description: "the shop won it: its money is available again" },
    lost: { description: "the cardholder got the money" },
    ...decisionOptions,
  },
  example: "tillkit payments decide-dispute PAYMENT --dispute ID --won --by Adjoua --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const outcome = parseChoice(args, "won", "lost") ? "won" : "lost";
    const disputeId = parseRequired(args, "dispute");
    await withDecision(args, "ledger", async ({ payment, decide }) => {
      await confirm(`The dispute ${disputeId} of payment ${payment.id} was ${outcome}.`, args);
      await decide({ kind: "disputeOutcome", disputeId, outcome });
      terminal.log(`The dispute ${disputeId} of payment ${payment.id} is recorded as ${outcome}.`);
    });
  },
};

/** true for the first flag. @throws UsageError unless exactly one of the two is given */
function parseChoice({ flags }: CommandLine, yes: string, no: string): boolean {
  if (flags.has(yes) !== flags.has(no)) return flags.has(yes);
  throw new UsageError(`Say which: either --${yes} or --${no}.`);
}

function parseRequired({ values }: CommandLine, name: string): string {
  const value = values.get(name);
  if (value !== undefined) return value;
  throw new UsageError(`The option --${name} is required: tillkit payments show prints it.`);
}
