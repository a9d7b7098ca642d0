import { randomUUID } from "node:crypto";
import type { Payment } from "@tillkit/core";
import type { View } from "@tillkit/core/back-office";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { confirm } from "../../command-line/confirm.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { serviceDecisionOptions, withDecision } from "./decision.ts";

const REASONS = ["requested_by_customer", "product_unavailable", "duplicate", "fraudulent", "other"] as const;

export const paymentsRefund: Command = {
  name: "payments refund",
  summary: "Refund a payment of a ledger, in part or in full; the running server shows it in the shop",
  positionals: ["payment"],
  options: {
    amount: { value: "amount", description: "how much to refund, in the payment's currency: 5000 or 12.50" },
    reason: { value: "reason", description: `${REASONS.join(", ")}; the default is the first` },
    transaction: { value: "id", description: "the transaction, where the session received more than one" },
    "over-dispute": {
      value: "amount",
      description: "refund disputed money all the same: the disputed sum, as tillkit payments show prints it",
    },
    key: { value: "key", description: "repeat a refund whose answer was lost, under the key that was printed" },
    ...serviceDecisionOptions,
  },
  example: "tillkit payments refund txn_8QW3ER5TYU7KPA --amount 2000 --by Adjoua --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const { values } = args;
    await withDecision(args, "keys", async ({ payment, view, decide }) => {
      const { formatMoney } = await import("@tillkit/core");
      const { transactionId, amount, disputed } = await prepare(view, args, terminal);
      const text = formatMoney(amount, "en");
      await confirm(questionOf(payment, text, disputed && formatMoney(disputed, "en")), args);
      const key = values.get("key") ?? randomUUID();
      // The key is printed before the call, because the process may end before the answer arrives.
      terminal.notice(`Key: ${key}`);
      const overDispute = disputed === null ? {} : { overDispute: true as const };
      const choice = { kind: "refund", transactionId, amount, reason: parseReason(args) } as const;
      const refund = await decide({ ...choice, ...overDispute }, key);
      terminal.log(`${text} of payment ${payment.id}: the refund is ${refund?.state ?? "unknown"}.`);
    });
  },
};

/** The refund of these options. `disputed`: the disputed sum that the person has confirmed with them. @throws Error that says why not */
async function prepare(view: View, { values }: CommandLine, terminal: Terminal) {
  const { decimalText, explainRefusal, parseTypedAmount } = await import("@tillkit/core");
  const { prepareRefund, refundSubjectOf } = await import("@tillkit/core/back-office");
  const { moneySentence } = await import("./money-lines.ts");
  const named = values.get("transaction");
  const subject = refundSubjectOf(view, named);
  if (subject === null)
    throw new Error(`The transaction "${named}" did not pay this payment: tillkit payments show lists those that did.`);
  const { transactionId, received } = subject.equation;
  const amount = parseTypedAmount(values.get("amount") ?? "", received.currency);
  const over = values.get("over-dispute");
  const confirmed = over === undefined ? null : parseTypedAmount(over, received.currency);
  const repeated = values.get("key");
  terminal.notice(moneySentence(subject.equation));
  const draft = { amount, confirmed, ...(repeated === undefined ? {} : { id: repeated }) };
  const { why, disputed } = prepareRefund(view, subject, draft);
  if (why === null) return { transactionId, amount, disputed };
  const hint = disputed === null ? "" : ` Refund it all the same with --over-dispute ${decimalText(disputed)}.`;
  throw new Error(`${explainRefusal(why, "en")}${hint}`);
}

function questionOf({ id, environment, ref, orderNumber }: Payment, amount: string, disputed: string | null): string {
  const money = environment === "live" ? "real money" : "test money";
  const over = disputed === null ? "" : ` although ${disputed} are disputed: the customer may get it twice`;
  return `Refund ${amount} of payment ${id}, order ${orderNumber} of ${ref.storeId} (${money})${over}.`;
}

function parseReason({ values }: CommandLine): string {
  const text = values.get("reason") ?? REASONS[0];
  const reason = REASONS.find((known) => known === text);
  if (reason !== undefined) return reason;
  throw new UsageError(`The reason must be one of ${REASONS.join(", ")}, not "${text}".`);
}
