import type { Ledger, OrderRef } from "@tillkit/core";
import type { Erased } from "@tillkit/core/ledger";
import type { Command, CommandLine } from "../command-line/command.ts";
import { formatCount } from "../command-line/format-count.ts";
import type { Terminal } from "../command-line/terminal.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { customerOptions, findCustomerOrders } from "../options/customer-option.ts";
import { ledgerOptions, withLedger } from "../options/ledger-option.ts";

export const erase: Command = {
  name: "erase",
  summary: "Erase the personal data of orders or of a customer, or remove a whole store with its payments",
  positionals: [],
  options: {
    ...ledgerOptions,
    store: {
      value: "store id",
      description: "select the store; optional with --customer, where the default is all stores",
    },
    order: {
      value: "order",
      description:
        "erase an order of the store; repeat the option for several orders. Without it, the whole store is removed",
    },
    ...customerOptions,
    yes: { description: "confirm that the finished payments of a whole store are removed permanently" },
    json: { description: "print the counts as one line of JSON" },
  },
  example: "tillkit erase --store shop --order 1042 --order 1043 --ledger sqlite:.tillkit/ledger.db",
  async run(args, terminal) {
    const erasure = parseErasure(args);
    await withLedger(args, async (ledger) => {
      const counts = await erasure(ledger, terminal);
      terminal.log(args.flags.has("json") ? JSON.stringify(counts) : summaryOf(counts));
    });
  },
};

type Erasure = (ledger: Ledger, terminal: Terminal) => Promise<Erased>;

function parseErasure(args: CommandLine): Erasure {
  const storeId = args.values.get("store");
  const orderIds = args.lists.get("order") ?? [];
  if (args.values.has("customer")) {
    if (orderIds.length > 0) throw new UsageError("Use either --customer or --order, not both.");
    return async (ledger, terminal) => ledger.eraseOrders((await findCustomerOrders(args, ledger, terminal)).orders);
  }
  if (storeId === undefined)
    throw new UsageError("The option --store <store id> or --customer <customer> is required.");
  if (orderIds.length > 0) {
    const orders = orderIds.map((orderId): OrderRef => ({ storeId, orderId }));
    return (ledger) => ledger.eraseOrders(orders);
  }
  if (args.flags.has("yes")) return (ledger) => ledger.eraseStore(storeId);
  throw new UsageError(
    `This permanently removes the finished payments of the store "${storeId}": add --yes, or name orders with --order.`,
  );
}

function summaryOf({ erased, unfinished }: Erased): string {
  const summary = `Erased ${formatCount(erased, "payment")}.`;
  if (unfinished === 0) return summary;
  const verb = unfinished === 1 ? "was" : "were";
  return `${summary} ${formatCount(unfinished, "unfinished payment")} ${verb} not erased. Run the command again in a few days.`;
}
