import type { Erased, Ledger, OrderRef } from "@tillkit/core";
import type { Command, CommandLine } from "../command.ts";
import { customerOption, findNamedCustomer } from "../customer-option.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export const erase: Command = {
  name: "erase",
  summary: "Erase what can hold personal data: of some orders, of a customer, or a whole store with its payments",
  words: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", says: "the store; with --customer it may be left out, for all of them" },
    order: { value: "order", says: "an order of it; give it several times for several. Without it, the whole store" },
    ...customerOption,
    yes: { says: "needed for a whole store: its finished payments are removed for good" },
    json: { says: "say the counts as one line of JSON" },
  },
  example: "tillkit erase --store shop --order 1042 --order 1043 --ledger sqlite:.tillkit/ledger.db",
  async run(line, terminal) {
    const erasure = readErasure(line);
    await withLedger(line, async (ledger) => {
      const counts = await erasure(ledger, terminal);
      terminal.log(line.switches.has("json") ? JSON.stringify(counts) : sentenceOf(counts));
    });
  },
};

type Erasure = (ledger: Ledger, terminal: Terminal) => Promise<Erased>;

function readErasure(line: CommandLine): Erasure {
  const storeId = line.values.get("store");
  const orderIds = line.lists.get("order") ?? [];
  if (line.values.has("customer")) {
    if (orderIds.length > 0) throw new UsageError("Say either --customer or --order.");
    return async (ledger, terminal) => ledger.eraseOrders((await findNamedCustomer(line, ledger, terminal)).orders);
  }
  if (storeId === undefined) throw new UsageError("Say which store: --store <store id>, or which --customer.");
  if (orderIds.length > 0) {
    const refs = orderIds.map((orderId): OrderRef => ({ storeId, orderId }));
    return (ledger) => ledger.eraseOrders(refs);
  }
  if (line.switches.has("yes")) return (ledger) => ledger.eraseStore(storeId);
  throw new UsageError(`This removes all of "${storeId}" for good: add --yes, or name orders with --order.`);
}

function sentenceOf({ erased, unfinished }: Erased): string {
  const rest = unfinished === 0 ? "" : ` Not finished yet: ${unfinished}, come again in a few days.`;
  return `Erased payments: ${erased}.${rest}`;
}
