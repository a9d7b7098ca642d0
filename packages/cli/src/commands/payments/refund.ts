import { randomUUID } from "node:crypto";
import type { Equation, Ledger, Payment, PaymentState } from "@tillkit/core";
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
    await withDecision(args, "keys", async ({ engine, ledger, payment, by, record }) => {
      const { formatMoney, parseMoney, refundPayment } = await import("@tillkit/core");
      const { moneySentence } = await import("./money-lines.ts");
      const equation = await readEquation(ledger, payment, values.get("transaction"));
      const { currency } = equation.received;
      const amount = parseMoney(values.get("amount") ?? "", currency);
      const over = values.get("over-dispute");
      const overDispute = over === undefined ? {} : { overDispute: parseMoney(over, currency) };
      const text = formatMoney(amount, "en");
      terminal.notice(moneySentence(equation));
      await confirm(
        questionOf(payment, text, overDispute.overDispute && formatMoney(overDispute.overDispute, "en")),
        args,
      );
      const key = values.get("key") ?? `command:${randomUUID()}`;
      // The key is printed before the call, because the process may end before the answer arrives.
      terminal.notice(`Key: ${key}`);
      await record("refund", `${text}${over === undefined ? "" : ", over a dispute"}`);
      const transactionId = values.get("transaction");
      const refund = await refundPayment(engine, {
        paymentId: payment.id,
        key,
        amount,
        reason: parseReason(args),
        by,
        origin: "tillkit",
        allowedStates: ARRIVED,
        ...(transactionId === undefined ? {} : { transactionId }),
        ...overDispute,
        stillApplies: async () => isSame(equation, await readEquation(ledger, payment, transactionId)),
      });
      terminal.log(`${text} of payment ${payment.id}: the refund is ${refund.state}.`);
    });
  },
};

const ARRIVED: readonly PaymentState[] = ["recorded", "verified", "review", "duplicate", "refunding", "refunded"];

async function readEquation(ledger: Ledger, payment: Payment, transactionId: string | undefined): Promise<Equation> {
  const { equationsOf, gatherMovements, namesTransaction } = await import("@tillkit/core");
  const movements = await gatherMovements(ledger, payment.id);
  const equations = equationsOf(payment, movements);
  if (transactionId === undefined) return equations[0];
  const named = movements.transactions.find((transaction) => namesTransaction(transactionId, transaction));
  const equation = equations.find((one) => named !== undefined && one.transactionId === named.id);
  if (equation) return equation;
  throw new Error(
    `The transaction "${transactionId}" did not pay this payment: tillkit payments show lists those that did.`,
  );
}

// What the person saw and confirmed. The id of the transaction may become known only now.
function isSame(seen: Equation, current: Equation): boolean {
  const parts = ["received", "returned", "leaving", "disputed"] as const;
  return parts.every((part) => seen[part].minor === current[part].minor);
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
