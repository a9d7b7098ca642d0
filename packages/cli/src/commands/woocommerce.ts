import type { Command } from "../command-line/command.ts";
import { loadPackage } from "../command-line/load-package.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { configOptions, parseConfigPath } from "../options/config-option.ts";
import { roleOptions } from "../options/role-option.ts";
import { parseSince, sinceOptions } from "../options/since-option.ts";

export const woocommerce: Command = {
  name: "woocommerce",
  summary:
    "Run the checkout server of WooCommerce shops (serve), or recover payments after a backup was restored (recover)",
  positionals: ["serve|recover"],
  options: {
    ...configOptions,
    ...sinceOptions,
    ...roleOptions,
    json: { description: "(serve only) print one JSON object with the address as the first line on standard output" },
  },
  example: "tillkit woocommerce serve --config /etc/tillkit/woocommerce.json",
  async run(args, terminal) {
    const [action] = args.positionals;
    if (action !== "serve" && action !== "recover") {
      throw new UsageError(
        `Unknown subcommand "${action}": use tillkit woocommerce serve or tillkit woocommerce recover.`,
      );
    }
    const configFile = parseConfigPath(args);
    const { recoverWooCommerce, serveWooCommerce } = await loadPackage(
      "@tillkit/woocommerce",
      () => import("@tillkit/woocommerce"),
    );
    const print = (text: string) => terminal.log(text);
    if (action === "serve")
      await serveWooCommerce({ configFile, role: args.values.get("role"), json: args.flags.has("json"), print });
    else await recoverWooCommerce({ configFile, since: parseSince(args), print });
  },
};
