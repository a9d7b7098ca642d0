import type { Command } from "../command-line/command.ts";
import { loadPackage } from "../command-line/load-package.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { configOptions, parseConfigPath } from "../options/config-option.ts";
import { roleOptions } from "../options/role-option.ts";
import { parseSince, sinceOptions } from "../options/since-option.ts";

export const shopify: Command = {
  name: "shopify",
  summary:
    "Run the app server of Shopify shops (serve), write the files for Shopify's deploy tool (init), or recover payments after a backup was restored (recover)",
  positionals: ["serve|init|recover"],
  options: {
    ...configOptions,
    out: {
      value: "directory",
      description: "(init only) write the files to this directory; the default is the current directory",
    },
    ...sinceOptions,
    ...roleOptions,
    json: { description: "(serve only) print one JSON object with the address as the first line on standard output" },
  },
  example: "tillkit shopify serve --config /etc/tillkit/shopify.json",
  async run(args, terminal) {
    const [action = ""] = args.positionals;
    const { values, flags } = args;
    if (!["serve", "init", "recover"].includes(action)) {
      throw new UsageError(`Unknown subcommand "${action}": use tillkit shopify serve, init or recover.`);
    }
    const configFile = parseConfigPath(args);
    const { initShopify, recoverShopify, serveShopify } = await loadPackage(
      "@tillkit/shopify",
      () => import("@tillkit/shopify"),
    );
    const print = (text: string) => terminal.log(text);
    if (action === "serve")
      await serveShopify({ configFile, role: values.get("role"), json: flags.has("json"), print });
    else if (action === "init") await initShopify({ configFile, outputDirectory: values.get("out") ?? ".", print });
    else await recoverShopify({ configFile, since: parseSince(args), print });
  },
};
