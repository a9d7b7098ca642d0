import type { Transaction } from "@tillkit/client";
import type { Command } from "../../command-line/command.ts";
import { printRows } from "../../command-line/print-rows.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { idIn } from "../../options/find-target.ts";
import { isoTime, parseLimit, rowOptions } from "../../options/row-options.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";

const STATUSES = ["pending", "completed", "failed", "refunded", "expired", "cancelled", "held"] as const;
type Status = (typeof STATUSES)[number];

export const transactions: Command = {
  name: "transactions",
  summary: "List the transactions of the service, or show one",
  positionals: ["transaction"],
  positionalsOptional: true,
  options: {
    status: { value: "status", description: `only transactions that are ${STATUSES.join(", ")}` },
    from: { value: "date", description: "only transactions from this day on, such as 2026-01-01" },
    until: { value: "date", description: "only transactions up to this day, included" },
    ...rowOptions,
    ...requiredServiceOptions,
  },
  example: "tillkit transactions --status completed --from 2026-01-01",
  async run(args, terminal) {
    const { positionals, values, flags } = args;
    const [id] = positionals;
    const from = values.get("from");
    const until = values.get("until");
    const status = parseStatus(values.get("status"));
    const limit = parseLimit(args);
    const query = {
      limit: Math.min(limit, 100),
      ...(status === undefined ? {} : { status }),
      ...(from === undefined ? {} : { startDate: from }),
      ...(until === undefined ? {} : { endDate: until }),
    };
    const client = await openRequiredService(args);
    const readOne = async (transactionId: string) => [(await client.transactions.read(transactionId)).data];
    const found = id === undefined ? await client.transactions.list(query).toArray({ limit }) : await readOne(idIn(id));
    printRows(terminal, found.map(rowOf), { json: flags.has("json"), none: "There are no such transactions." });
  },
};

function rowOf(transaction: Transaction) {
  const { id, publicId, status, grossAmount, refundedAmount, currencyCode, providerCode, createdAt } = transaction;
  return {
    created: isoTime(createdAt),
    id,
    code: publicId,
    status: status && String(status),
    amount: grossAmount,
    refunded: refundedAmount,
    currency: currencyCode,
    method: providerCode,
    session: transaction.sessionId,
  };
}

function parseStatus(text: string | undefined): Status | undefined {
  if (text === undefined) return undefined;
  const status = STATUSES.find((name) => name === text);
  if (status) return status;
  throw new UsageError(`The status must be ${STATUSES.slice(0, -1).join(", ")} or held, not "${text}".`);
}
