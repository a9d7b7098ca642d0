import type { Erased } from "@tillkit/core";
import type { Command } from "../command.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { UsageError } from "../usage-error.ts";

export const erase: Command = {
  name: "erase",
  summary: "Erase what can hold personal data of some orders, or a whole store with its payments",
  words: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", says: "the store" },
    order: { value: "order", says: "an order of it; give it several times for several. Without it, the whole store" },
    yes: { says: "needed for a whole store: its finished payments are removed for good" },
    json: { says: "say the counts as one line of JSON" },
  },
  example: "tillkit erase --store shop --order 1042 --order 1043 --ledger sqlite:.tillkit/ledger.db",
  async run(line, terminal) {
    const storeId = line.values.get("store");
    const orderIds = line.lists.get("order") ?? [];
    if (storeId === undefined) throw new UsageError("Say which store: --store <store id>.");
    if (orderIds.length === 0 && !line.switches.has("yes")) {
      throw new UsageError(`This removes all of "${storeId}" for good: add --yes, or name orders with --order.`);
    }
    await withLedger(line, async (ledger) => {
      const refs = orderIds.map((orderId) => ({ storeId, orderId }));
      const counts = refs.length > 0 ? await ledger.eraseOrders(refs) : await ledger.eraseStore(storeId);
      terminal.log(line.switches.has("json") ? JSON.stringify(counts) : sentenceOf(counts));
    });
  },
};

function sentenceOf({ erased, unfinished }: Erased): string {
  const rest = unfinished === 0 ? "" : ` Not finished yet: ${unfinished}, come again in a few days.`;
  return `Erased payments: ${erased}.${rest}`;
}
