import type { Command } from "../command.ts";
import { ledgerOptions, withLedger } from "../ledger-option.ts";
import { UsageError } from "../usage-error.ts";

export const privacyExport: Command = {
  name: "privacy-export",
  summary: "Write everything that is kept about an order, as JSON, for the customer who asks for it",
  words: [],
  options: {
    ...ledgerOptions,
    store: { value: "store id", says: "the store" },
    order: { value: "order", says: "the order" },
  },
  example: "tillkit privacy-export --store shop --order 1042 --ledger sqlite:.tillkit/ledger.db > order-1042.json",
  async run(line, terminal) {
    const [storeId, orderId] = [line.values.get("store"), line.values.get("order")];
    if (storeId === undefined || orderId === undefined) {
      throw new UsageError("Say which order: --store <store id> --order <order>.");
    }
    await withLedger(line, async (ledger) => {
      const kept = await ledger.exportOrder({ storeId, orderId });
      if (kept === null) throw new Error(`Nothing is kept about the order ${orderId} of the store ${storeId}.`);
      terminal.log(JSON.stringify(kept, null, 2));
    });
  },
};
