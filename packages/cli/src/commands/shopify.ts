import type { Command } from "../command.ts";
import { UsageError } from "../usage-error.ts";

export const shopify: Command = {
  name: "shopify",
  summary: "Run the app server of Shopify shops (serve), or write the files that Shopify's tool deploys (init)",
  words: ["serve|init"],
  options: {
    config: { value: "file", says: "the configuration, one JSON file" },
    out: { value: "directory", says: "where init writes; the current directory unless set" },
    json: { says: "serve: say the address as one line of JSON, the first on standard output" },
  },
  example: "tillkit shopify serve --config /etc/tillkit/shopify.json",
  async run({ words: [what], values, switches }, terminal) {
    if (what !== "serve" && what !== "init") {
      throw new UsageError(`Say what to do: tillkit shopify serve, or tillkit shopify init, not "${what}".`);
    }
    const configFile = values.get("config");
    if (configFile === undefined) throw new UsageError("Say which configuration: --config FILE.");
    const { initShopify, serveShopify } = await import("@tillkit/shopify");
    const print = (text: string) => terminal.log(text);
    if (what === "serve") await serveShopify({ configFile, json: switches.has("json"), print });
    else await initShopify({ configFile, folder: values.get("out") ?? ".", print });
  },
};
