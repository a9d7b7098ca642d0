import type { Command } from "../command.ts";
import { readSince, sinceOption } from "../since-option.ts";
import { UsageError } from "../usage-error.ts";

export const woocommerce: Command = {
  name: "woocommerce",
  summary: "Run the companion of WooCommerce shops (serve), or find what a restored backup has lost (recover)",
  words: ["serve|recover"],
  options: {
    config: { value: "file", says: "the configuration, one JSON file" },
    ...sinceOption,
    json: { says: "serve: say the address as one line of JSON, the first on standard output" },
  },
  example: "tillkit woocommerce serve --config /etc/tillkit/woocommerce.json",
  async run(line, terminal) {
    const [what] = line.words;
    if (what !== "serve" && what !== "recover") {
      throw new UsageError(`Say what to do: tillkit woocommerce serve, or tillkit woocommerce recover, not "${what}".`);
    }
    const configFile = line.values.get("config");
    if (configFile === undefined) throw new UsageError("Say which configuration: --config FILE.");
    const { recoverWooCommerce, serveWooCommerce } = await import("@tillkit/woocommerce");
    const print = (text: string) => terminal.log(text);
    if (what === "serve") await serveWooCommerce({ configFile, json: line.switches.has("json"), print });
    else await recoverWooCommerce({ configFile, from: readSince(line), print });
  },
};
