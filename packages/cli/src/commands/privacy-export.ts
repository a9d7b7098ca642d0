import type { Ledger, OrderRef } from "@tillkit/core";
import type { Command, CommandLine } from "../command-line/command.ts";
import type { Terminal } from "../command-line/terminal.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { customerOptions, findCustomerOrders } from "../options/customer-option.ts";
import { ledgerOptions, readLedger } from "../options/ledger-option.ts";

export const privacyExport: Command = {
  name: "privacy-export",
  summary: "Write all stored data of an order, a customer or a store as JSON, to answer a data access request",
  positionals: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", description: "select the store; without --order, all its orders" },
    order: { value: "order", description: "select one order of the store" },
    ...customerOptions,
  },
  example:
    "tillkit privacy-export --customer 3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f --ledger sqlite:.tillkit/ledger.db > awa.json",
  async run(args, terminal) {
    const storeId = args.values.get("store");
    const orderId = args.values.get("order");
    const hasCustomer = args.values.has("customer");
    const isCustomerWithOrder = hasCustomer && orderId !== undefined;
    const namesNothing = !hasCustomer && storeId === undefined;
    if (isCustomerWithOrder || namesNothing) {
      throw new UsageError(
        "The option --store <store id>, with or without --order <order>, or --customer <customer> is required.",
      );
    }
    await readLedger(args, async (ledger) => {
      if (storeId !== undefined && orderId !== undefined) await writeOrder(ledger, { storeId, orderId }, terminal);
      else await writeOrders(ledger, await findOrders(args, ledger, terminal), terminal);
    });
  },
};

async function writeOrder(ledger: Ledger, order: OrderRef, terminal: Terminal): Promise<void> {
  const data = await ledger.exportOrder(order);
  if (data === null)
    throw new Error(`The ledger has no data about the order ${order.orderId} of the store ${order.storeId}.`);
  terminal.log(JSON.stringify(data, null, 2));
}

async function findOrders(args: CommandLine, ledger: Ledger, terminal: Terminal) {
  if (args.values.has("customer")) return (await findCustomerOrders(args, ledger, terminal)).orders;
  const { listOrders } = (await import("../ledger-data.ts")).ledgerData;
  return listOrders(ledger, args.values.get("store") ?? "");
}

/** Writes one JSON array, order by order, because a store can have more orders than fit into memory. */
async function writeOrders(
  ledger: Ledger,
  orders: Iterable<OrderRef> | AsyncIterable<OrderRef>,
  terminal: Terminal,
): Promise<void> {
  let writtenCount = 0;
  for await (const order of orders) {
    const data = await ledger.exportOrder(order);
    if (data === null) continue;
    await terminal.write(`${writtenCount === 0 ? "[" : ","}\n${JSON.stringify(data, null, 2)}`);
    writtenCount += 1;
  }
  if (writtenCount === 0) throw new Error("The ledger has no data about these orders.");
  await terminal.write("\n]\n");
}
