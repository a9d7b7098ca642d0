import type { Command } from "../command.ts";
import { readSince, sinceOption } from "../since-option.ts";
import { UsageError } from "../usage-error.ts";

export const shopify: Command = {
  name: "shopify",
  summary:
    "Run the app server of Shopify shops (serve), write the files that Shopify's tool deploys (init), or find what a restored backup has lost (recover)",
  words: ["serve|init|recover"],
  options: {
    config: { value: "file", says: "the configuration, one JSON file" },
    out: { value: "directory", says: "where init writes; the current directory unless set" },
    ...sinceOption,
    json: { says: "serve: say the address as one line of JSON, the first on standard output" },
  },
  example: "tillkit shopify serve --config /etc/tillkit/shopify.json",
  async run(line, terminal) {
    const [what = ""] = line.words;
    const { values, switches } = line;
    if (!["serve", "init", "recover"].includes(what)) {
      throw new UsageError(`Say what to do: tillkit shopify serve, init or recover, not "${what}".`);
    }
    const configFile = values.get("config");
    if (configFile === undefined) throw new UsageError("Say which configuration: --config FILE.");
    const { initShopify, recoverShopify, serveShopify } = await import("@tillkit/shopify");
    const print = (text: string) => terminal.log(text);
    if (what === "serve") await serveShopify({ configFile, json: switches.has("json"), print });
    else if (what === "init") await initShopify({ configFile, folder: values.get("out") ?? ".", print });
    else await recoverShopify({ configFile, from: readSince(line), print });
  },
};
