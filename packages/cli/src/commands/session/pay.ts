import type { Command, CommandLine } from "../../command-line/command.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { idIn } from "../../options/find-target.ts";
import { jsonOption, wireText } from "../../options/row-options.ts";
import { openSandboxControl, textOf } from "../../options/sandbox-control.ts";
import { requiredServiceOptions } from "../../options/service-option.ts";

const METHODS = ["card", "wave", "mtn"];

const payOptions = {
  method: { value: "card|wave|mtn", description: "how the shopper pays; the default is card" },
  ...requiredServiceOptions,
  ...jsonOption,
};

export const sessionPay: Command = {
  name: "session pay",
  summary: "Pay a session of a sandbox as a shopper would",
  positionals: ["session"],
  options: { ...payOptions, pending: { description: "the payment stays pending, as mobile money can" } },
  example: "tillkit session pay 6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33 --method wave",
  run: (args, terminal) => pay(args, args.flags.has("pending") ? "pending" : "completed", terminal),
};

export const sessionFail: Command = {
  name: "session fail",
  summary: "Try to pay a session of a sandbox and be declined; the session stays open",
  positionals: ["session"],
  options: payOptions,
  example: "tillkit session fail 6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
  run: (args, terminal) => pay(args, "failed", terminal),
};

export const sessionExpire: Command = {
  name: "session expire",
  summary: "Let an open session of a sandbox expire now",
  positionals: ["session"],
  options: { ...requiredServiceOptions, ...jsonOption },
  example: "tillkit session expire 6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
  async run(args, terminal) {
    const id = idIn(args.positionals[0] ?? "");
    const control = await openSandboxControl(args);
    await control("POST", `/checkout-sessions/${encodeURIComponent(id)}/expire`);
    terminal.log(args.flags.has("json") ? JSON.stringify({ id, status: "expired" }) : `The session ${id} is expired.`);
  },
};

async function pay(args: CommandLine, outcome: "completed" | "failed" | "pending", terminal: Terminal): Promise<void> {
  const id = idIn(args.positionals[0] ?? "");
  const method = args.values.get("method") ?? "card";
  if (!METHODS.includes(method)) throw new UsageError(`The method must be card, wave or mtn, not "${method}".`);
  const control = await openSandboxControl(args);
  const path = `/checkout-sessions/${encodeURIComponent(id)}/pay`;
  const transaction = await control("POST", path, { method, outcome });
  const transactionId = textOf(transaction, "transaction_id");
  const status = textOf(transaction, "status");
  const amount = Number(transaction.gross_amount);
  const currency = textOf(transaction, "currency_code");
  const row = { session: id, transaction: transactionId, status, amount, currency };
  const sentence = `The payment of ${wireText(amount, currency)} by ${method} is ${status}: transaction ${transactionId}.`;
  terminal.log(args.flags.has("json") ? JSON.stringify(row) : sentence);
}
