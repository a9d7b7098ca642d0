import type { Ledger, OrderRef } from "@tillkit/core";
import type { Command, CommandLine } from "../command.ts";
import { customerOption, findNamedCustomer } from "../customer-option.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export const privacyExport: Command = {
  name: "privacy-export",
  summary: "Write everything that is kept about an order, a customer or a store, as JSON, for whoever asks for it",
  words: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", says: "the store; alone, all its orders" },
    order: { value: "order", says: "one order of it" },
    ...customerOption,
  },
  example:
    "tillkit privacy-export --customer 3d9d2c11-6b1e-4f6d-8f3a-7a1b2c3d4e5f --ledger sqlite:.tillkit/ledger.db > awa.json",
  async run(line, terminal) {
    const [storeId, orderId] = [line.values.get("store"), line.values.get("order")];
    const isOne = orderId !== undefined;
    if (line.values.has("customer") ? isOne : storeId === undefined) {
      throw new UsageError("Say what: --store <store id> with or without --order <order>, or --customer <customer>.");
    }
    await withLedger(line, async (ledger) => {
      if (isOne && storeId !== undefined) await writeOrder(ledger, { storeId, orderId }, terminal);
      else await writeOrders(ledger, await ordersNamed(line, ledger, terminal), terminal);
    });
  },
};

async function writeOrder(ledger: Ledger, ref: OrderRef, terminal: Terminal): Promise<void> {
  const kept = await ledger.exportOrder(ref);
  if (kept === null) throw new Error(`Nothing is kept about the order ${ref.orderId} of the store ${ref.storeId}.`);
  terminal.log(JSON.stringify(kept, null, 2));
}

async function ordersNamed(line: CommandLine, ledger: Ledger, terminal: Terminal) {
  if (line.values.has("customer")) return (await findNamedCustomer(line, ledger, terminal)).orders;
  const { ordersOf } = await import("@tillkit/server");
  return ordersOf(ledger, line.values.get("store") ?? "");
}

/** One list of orders, written as they are read: a store may have many. */
async function writeOrders(
  ledger: Ledger,
  refs: Iterable<OrderRef> | AsyncIterable<OrderRef>,
  terminal: Terminal,
): Promise<void> {
  let written = 0;
  for await (const ref of refs) {
    const kept = await ledger.exportOrder(ref);
    if (kept === null) continue;
    await terminal.write(`${written === 0 ? "[" : ","}\n${JSON.stringify(kept, null, 2)}`);
    written += 1;
  }
  if (written === 0) throw new Error("Nothing is kept about them.");
  await terminal.write("\n]\n");
}
