import type { Command } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { configOptions, parseConfigPath } from "../options/config-option.ts";

const SIGNS = { ok: "✓", warning: "!", error: "✗" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "Check every shop of a configuration and say what to fix",
  positionals: [],
  options: {
    woocommerce: { description: "check the configuration of the WooCommerce checkout server" },
    ...configOptions,
    json: { description: "print one line of JSON for each check" },
  },
  example: "tillkit doctor --woocommerce --config /etc/tillkit/woocommerce.json",
  async run(args, terminal) {
    if (!args.flags.has("woocommerce")) {
      throw new UsageError("The option --woocommerce is required: tillkit doctor --woocommerce --config <file>.");
    }
    const configFile = parseConfigPath(args);
    const { examineWooCommerce, readWooCommerceConfigFile } = await import("@tillkit/woocommerce");
    let errors = 0;
    for await (const diagnosis of examineWooCommerce(await readWooCommerceConfigFile(configFile))) {
      const { storeId, check, status, message } = diagnosis;
      if (status === "error") errors += 1;
      const text = `${SIGNS[status]} ${storeId}  ${check}: ${message}`;
      terminal.log(args.flags.has("json") ? JSON.stringify(diagnosis) : text);
    }
    if (errors > 0) throw new Error(errors === 1 ? "1 error was found." : `${errors} errors were found.`);
  },
};
