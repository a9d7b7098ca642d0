import type { Command } from "../command.ts";
import { UsageError } from "../usage-error.ts";

const SIGNS = { well: "✓", warning: "!", mistake: "✗" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "Look at every shop of a configuration and say what to mend",
  words: [],
  options: {
    woocommerce: { says: "the configuration is that of the WooCommerce companion" },
    config: { value: "file", says: "the configuration, one JSON file" },
    json: { says: "one JSON object a line, for each thing that was looked at" },
  },
  example: "tillkit doctor --woocommerce --config /etc/tillkit/woocommerce.json",
  async run({ values, switches }, terminal) {
    const configFile = values.get("config");
    if (!switches.has("woocommerce")) throw new UsageError("Say what to look at: tillkit doctor --woocommerce.");
    if (configFile === undefined) throw new UsageError("Say which configuration: --config FILE.");
    const { examineCompanion, readCompanionConfigFile } = await import("@tillkit/woocommerce");
    let mistakes = 0;
    for await (const diagnosis of examineCompanion(await readCompanionConfigFile(configFile))) {
      const { storeId, about, say, text } = diagnosis;
      if (say === "mistake") mistakes += 1;
      terminal.log(switches.has("json") ? JSON.stringify(diagnosis) : `${SIGNS[say]} ${storeId}  ${about}: ${text}`);
    }
    if (mistakes > 0) throw new Error(mistakes === 1 ? "One mistake was found." : `${mistakes} mistakes were found.`);
  },
};
