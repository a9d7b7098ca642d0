import type { Dispute, Equation, Refund } from "@tillkit/core";
import type { PaidTransaction } from "@tillkit/core/ledger";
import type { Command } from "../../command-line/command.ts";
import { printJson } from "../../command-line/print-rows.ts";
import { ledgerOptions, readLedger } from "../../options/ledger-option.ts";
import { isoTime } from "../../options/row-options.ts";
import { findPayment } from "./decision.ts";

export const paymentsShow: Command = {
  name: "payments show",
  summary: "Show where the money of a payment is: its transactions, refunds and disputes",
  positionals: ["payment"],
  options: { ...ledgerOptions, json: { description: "print one line of JSON" } },
  example: "tillkit payments show txn_8QW3ER5TYU7KPA --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const [id = ""] = args.positionals;
    await readLedger(args, async (ledger) => {
      const { formatMoney, gatherMovements } = await import("@tillkit/core");
      const { equationOf, equationsOf } = await import("@tillkit/core/ledger");
      const { moneySentence } = await import("./money-lines.ts");
      const payment = await findPayment(ledger, id);
      const movements = await gatherMovements(ledger, payment.id);
      const sum = equationOf(payment, movements);
      const { transactions, refunds, disputes } = movements;
      if (args.flags.has("json")) {
        const rows = { transactions: transactions.map(transactionOf), refunds: refunds.map(refundOf) };
        const equations = equationsOf(payment, movements).map(sumsOf);
        const { id: paymentId, state } = payment;
        return printJson(terminal, {
          payment: paymentId,
          state,
          ...sumsOf(sum),
          equations,
          ...rows,
          disputes: disputes.map(disputeOf),
        });
      }
      terminal.log(`Payment ${payment.id}, order ${payment.orderNumber} of ${payment.ref.storeId}, ${payment.state}`);
      terminal.log(moneySentence(sum));
      for (const { id: transactionId, code, amount, evidence } of transactions)
        terminal.log(`  transaction ${code ?? transactionId}  ${formatMoney(amount, "en")}  ${EVIDENCE[evidence]}`);
      for (const { key, amount, state } of refunds)
        terminal.log(`  refund ${key}  ${formatMoney(amount, "en")}  ${state}`);
      for (const { id: disputeId, amount, status, outcome } of disputes)
        terminal.log(
          `  dispute ${disputeId}  ${amount === null ? "amount not reported" : formatMoney(amount, "en")}  ${status}${outcome === null ? "" : `, ${outcome}`}`,
        );
    });
  },
};

const EVIDENCE = {
  identity: "certain: the service names it",
  person: "chosen by a person",
  resemblance: "candidate: only resembles",
} as const satisfies Record<PaidTransaction["evidence"], string>;

function sumsOf({ transactionId, received, returned, leaving, disputed, available }: Equation) {
  return { transaction: transactionId, received, returned, leaving, disputed, available };
}

function transactionOf({ id, code, amount, evidence, at }: PaidTransaction) {
  return { id, code, amount, evidence, at: isoTime(at) };
}

function refundOf({ key, refundId, amount, state, transactionId, requestedAt }: Refund) {
  return { key, id: refundId, amount, state, transaction: transactionId, requested: isoTime(requestedAt) };
}

function disputeOf({ id, amount, status, outcome, openedAt }: Dispute) {
  return { id, amount, status, outcome, opened: isoTime(openedAt) };
}
