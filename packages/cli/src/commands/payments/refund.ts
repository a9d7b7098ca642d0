import { randomUUID } from "node:crypto";
import type { Equation, Payment, View } from "@tillkit/core";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { confirm } from "../../command-line/confirm.ts";
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
      const { formatMoney, parseMoney } = await import("@tillkit/core");
      const { moneySentence } = await import("./money-lines.ts");
      const transactionId = values.get("transaction") ?? null;
      const equation = await chooseEquation(view, transactionId);
      const { currency } = equation.received;
      const amount = parseMoney(values.get("amount") ?? "", currency);
      const over = values.get("over-dispute");
      const text = formatMoney(amount, "en");
      terminal.notice(moneySentence(equation));
      if (over !== undefined && parseMoney(over, currency).minor !== equation.disputed.minor)
        throw new UsageError(`--over-dispute names the disputed sum: ${formatMoney(equation.disputed, "en")}.`);
      const disputed = over === undefined ? undefined : formatMoney(equation.disputed, "en");
      await confirm(questionOf(payment, text, disputed), args);
      const key = values.get("key") ?? randomUUID();
      // The key is printed before the call, because the process may end before the answer arrives.
      terminal.notice(`Key: ${key}`);
      const overDispute = over === undefined ? {} : { overDispute: true as const };
      const choice = {
        kind: "refund",
        transactionId: equation.transactionId,
        amount,
        reason: parseReason(args),
      } as const;
      const refund = await decide({ ...choice, ...overDispute }, key);
      terminal.log(`${text} of payment ${payment.id}: the refund is ${refund?.state ?? "unknown"}.`);
    });
  },
};

async function chooseEquation({ sums, movements }: View, transactionId: string | null): Promise<Equation> {
  if (transactionId === null) return sums[0];
  const { namesTransaction } = await import("@tillkit/core");
  const named = movements.transactions.find((transaction) => namesTransaction(transactionId, transaction));
  const equation = sums.find((one) => named !== undefined && one.transactionId === named.id);
  if (equation) return equation;
  throw new Error(
    `The transaction "${transactionId}" did not pay this payment: tillkit payments show lists those that did.`,
  );
}

function questionOf(
  { id, environment, ref, orderNumber }: Payment,
  amount: string,
  disputed: string | undefined,
): string {
  const money = environment === "live" ? "real money" : "test money";
  const over = disputed === undefined ? "" : ` although ${disputed} are disputed: the customer may get it twice`;
  return `Refund ${amount} of payment ${id}, order ${orderNumber} of ${ref.storeId} (${money})${over}.`;
}

function parseReason({ values }: CommandLine): string {
  const text = values.get("reason") ?? REASONS[0];
  const reason = REASONS.find((known) => known === text);
  if (reason !== undefined) return reason;
  throw new UsageError(`The reason must be one of ${REASONS.join(", ")}, not "${text}".`);
}
