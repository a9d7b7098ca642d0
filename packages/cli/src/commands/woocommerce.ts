import type { Command } from "../command.ts";
import { UsageError } from "../usage-error.ts";

export const woocommerce: Command = {
  name: "woocommerce",
  summary: "Run the companion of WooCommerce shops",
  words: ["serve"],
  options: {
    config: { value: "file", says: "the configuration, one JSON file" },
    json: { says: "say the address as one line of JSON, the first on standard output" },
  },
  example: "tillkit woocommerce serve --config /etc/tillkit/woocommerce.json",
  async run({ words: [what], values, switches }, terminal) {
    if (what !== "serve") throw new UsageError(`A companion can only serve: tillkit woocommerce serve, not "${what}".`);
    const configFile = values.get("config");
    if (configFile === undefined) throw new UsageError("Say which configuration: --config FILE.");
    const { serveWooCommerce } = await import("@tillkit/woocommerce");
    await serveWooCommerce({ configFile, json: switches.has("json"), print: (text) => terminal.log(text) });
  },
};
