import { randomUUID } from "node:crypto";
import type { RefundRow, ServiceRefund, Transaction } from "@tillkit/client";
import type { Equation } from "@tillkit/core";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { confirm } from "../../command-line/confirm.ts";
import { parseAmount } from "../../command-line/parse-number.ts";
import { printRows } from "../../command-line/print-rows.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { idIn } from "../../options/find-target.ts";
import { ledgerOptions } from "../../options/ledger-option.ts";
import { isoTime, jsonOption, parseLimit, rowOptions, wireText } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";
import { assertNotInLedger, equationAtService } from "./refundable.ts";

export const refundsList: Command = {
  name: "refunds list",
  summary: "List the refunds of the service",
  positionals: [],
  options: {
    status: { value: "pending|completed|failed", description: "only refunds in this state" },
    ...rowOptions,
    ...requiredServiceOptions,
  },
  example: "tillkit refunds list --status pending",
  async run(args, terminal) {
    const status = parseStatus(args.values.get("status"));
    const limit = parseLimit(args);
    const client = await openRequiredService(args);
    const query = { limit: Math.min(limit, 100), ...(status === undefined ? {} : { status }) };
    const found = await client.refunds.list(query).toArray({ limit });
    printRows(terminal, found.map(rowOf), { json: args.flags.has("json"), none: "There are no such refunds." });
  },
};

export const refundsCreate: Command = {
  name: "refunds create",
  summary: "Refund a transaction, in part or in full, after a confirmation",
  positionals: ["transaction"],
  options: {
    amount: { value: "number", description: "how much to refund, in the service's unit: 2000 for 2,000 F CFA" },
    full: { description: "refund everything that is not refunded yet" },
    reason: { value: "text", description: "the reason that the service stores" },
    "idempotency-key": {
      value: "key",
      description: "repeat a refund of the last 24 hours whose answer was lost, with its amount and reason",
    },
    yes: { description: "confirm without being asked" },
    ...requiredServiceOptions,
    ...ledgerOptions,
    ...jsonOption,
  },
  example: "tillkit refunds create txn_8QW3ER5TYU7KPA --amount 2000 --reason requested_by_customer",
  async run(args, terminal) {
    const id = idIn(args.positionals[0] ?? "");
    const { values, flags } = args;
    const requested = parseRequestedAmount(args);
    const client = await openRequiredService(args);
    const { transaction, equation } = await equationAtService(client, id, terminal);
    await assertNotInLedger(args, transaction);
    const repeatedKey = values.get("idempotency-key");
    const idempotencyKey = repeatedKey ?? `tillkit-refund-${randomUUID()}`;
    const amount = amountToRefund(equation, requested, repeatedKey !== undefined);
    await confirm(questionOf(transaction, amount), args);
    // The key is printed before the call, because the process may end before the answer arrives.
    terminal.notice(`Idempotency-Key: ${idempotencyKey}`);
    const reason = values.get("reason");
    const body = { transaction_id: transaction.id ?? id, amount, ...(reason === undefined ? {} : { reason }) };
    const { data } = await client.refunds.create(body, { idempotencyKey }).catch((error: unknown) => {
      throw explainFailure(error, idempotencyKey, amount);
    });
    // The response of a refund need not repeat its amount and currency.
    const refund = { ...data, amount, currencyCode: data.currencyCode ?? transaction.currencyCode };
    if (flags.has("json")) printRows(terminal, [rowOf(refund)], { json: true, none: "" });
    else terminal.log(sentenceOf(data, transaction, amount));
  },
};

function parseStatus(text: string | undefined): "pending" | "completed" | "failed" | undefined {
  if (text === undefined || text === "pending" || text === "completed" || text === "failed") return text;
  throw new UsageError(`The status must be pending, completed or failed, not "${text}".`);
}

function parseRequestedAmount({ values, flags }: CommandLine): number | "full" {
  const amount = values.get("amount");
  const hasAmount = amount !== undefined;
  const isFull = flags.has("full");
  if (hasAmount === isFull)
    throw new UsageError("Name the amount, or everything that is left: use either --amount <number> or --full.");
  if (hasAmount) return parseAmount(amount);
  // What is left now may differ from what was left at the first try, and the service refuses another amount under the same key.
  if (values.has("idempotency-key"))
    throw new UsageError("A repeated refund needs the amount of its first try: use --amount <number>.");
  return "full";
}

/** @throws Error that says where the money is */
function amountToRefund(
  { received, returned, leaving, disputed, available }: Equation,
  requested: number | "full",
  isRepeat: boolean,
): number {
  const amount = requested === "full" ? available.minor : requested;
  // A repeated refund may have been made, and then is among what went back or is on its way.
  const mayBeMade = isRepeat && returned.minor + leaving.minor >= amount;
  const most = available.minor + (mayBeMade ? amount : 0);
  if (amount >= 1 && amount <= most) return amount;
  const [left, arrived, back, onItsWay, taken] = [available, received, returned, leaving, disputed].map(
    ({ minor, currency }) => wireText(minor, currency),
  );
  const sums = `${arrived} arrived, ${back} returned, ${onItsWay} on the way back, ${taken} disputed`;
  const advice = disputed.minor > 0 ? " Refund disputed money in the service's dashboard, if at all." : "";
  throw new Error(`Of this transaction, ${left} can be refunded (${sums}): nothing was sent.${advice}`);
}

function questionOf({ grossAmount, currencyCode, publicId, id, environment }: Transaction, amount: number): string {
  const moneyKind = environment === "live" ? "real money" : `the environment ${environment ?? "is unknown"}`;
  const whole = wireText(grossAmount, currencyCode);
  return `Refund ${wireText(amount, currencyCode)} of the ${whole} of transaction ${publicId ?? id} (${moneyKind}).`;
}

function sentenceOf({ id, status }: ServiceRefund, { currencyCode }: Transaction, amount: number): string {
  const refund = `${wireText(amount, currencyCode)} (refund ${id})`;
  if (status === "completed") return `Refunded ${refund}.`;
  if (status === "failed") return `The service could not refund ${refund}: no money went back.`;
  return `The service accepted the refund of ${refund}; its state is ${status ?? "unknown"}.`;
}

function explainFailure(error: unknown, key: string, amount: number): unknown {
  const { mayHaveSucceeded, message } = error as { readonly mayHaveSucceeded?: boolean; readonly message?: string };
  if (!mayHaveSucceeded) return error;
  return new Error(
    `${message} It is unknown whether the money went back. Within a day, repeat the command with the same options and --amount ${amount} --idempotency-key ${key}: it refunds at most once. Later, look at tillkit refunds list first.`,
    { cause: error },
  );
}

function rowOf({ id, transactionId, status, amount, currencyCode, reason, createdAt }: RefundRow) {
  return {
    created: isoTime(createdAt),
    id,
    transaction: transactionId,
    status: status && String(status),
    amount,
    currency: currencyCode,
    reason,
  };
}
