import { color } from "../../command-line/color.ts";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { formatCount } from "../../command-line/format-count.ts";
import { loadPackage } from "../../command-line/load-package.ts";
import { printJson } from "../../command-line/print-rows.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { configOptions, parseConfigPath } from "../../options/config-option.ts";
import { ledgerOptions } from "../../options/ledger-option.ts";
import { serviceOptions } from "../../options/service-option.ts";
import { type Check, careful } from "./check.ts";
import { medusaChecks } from "./medusa.ts";
import { serverChecks } from "./server.ts";
import { shopifyChecks } from "./shopify.ts";

const SIGNS = { ok: "✓", warning: "!", error: "✗" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "Check a running checkout server, its configuration and its shops, and say what to fix",
  positionals: [],
  options: {
    server: {
      value: "address",
      description: "check the checkout server at this address: encryption, health, readiness, clock and webhook route",
    },
    medusa: { description: "(with --server) the server is a Medusa with the plugin @tillkit/medusa" },
    webhook: { value: "address", description: "(with --server) the address of the server's webhook route" },
    ...serviceOptions("(with --server) to check its webhook endpoints too"),
    ...ledgerOptions,
    ledger: {
      value: "url",
      description: "(with --server) check this ledger too; with --medusa the default is DATABASE_URL",
    },
    woocommerce: { description: "check the WooCommerce shops of a configuration, with --config" },
    store: { value: "id", description: "(with --woocommerce) check this shop only, in detail" },
    shopify: { description: "check the Shopify app server of a configuration and its shops, with --config" },
    ...configOptions,
    json: { description: "print one line of JSON for each check" },
  },
  example: "tillkit doctor --server https://shop.example --webhook https://shop.example/hooks/service/shop",
  async run(args, terminal) {
    let errors = 0;
    for await (const check of chooseChecks(args, terminal)) {
      if (check.status === "error") errors += 1;
      if (args.flags.has("json")) printJson(terminal, check);
      else print(check, terminal);
    }
    if (errors > 0) throw new Error(errors === 1 ? "1 error was found." : `${errors} errors were found.`);
  },
};

function chooseChecks(args: CommandLine, terminal: Terminal): AsyncGenerator<Check> {
  const { flags, values } = args;
  const targetCount = [values.has("server"), flags.has("woocommerce"), flags.has("shopify")].filter(Boolean).length;
  if (targetCount !== 1 || (flags.has("medusa") && !values.has("server"))) {
    throw new UsageError(
      "Say what to check: tillkit doctor --server <address>, with --medusa for a Medusa, or tillkit doctor --woocommerce or --shopify with --config <file>.",
    );
  }
  if (flags.has("woocommerce")) return woocommerceChecks(args, terminal);
  if (flags.has("shopify")) return shopifyChecks(args);
  return flags.has("medusa") ? medusaChecks(args) : serverChecks(args);
}

function print({ check, status, message, storeId }: Check, terminal: Terminal): void {
  const sign = color(SIGNS[status], status === "ok");
  const store = storeId === undefined ? "" : `${storeId}  `;
  terminal.log(`${sign} ${store}${check}: ${message}`);
}

async function* woocommerceChecks(args: CommandLine, terminal: Terminal): AsyncGenerator<Check> {
  const configFile = parseConfigPath(args);
  const { examineWooCommerce, readWooCommerceConfigFile } = await loadPackage(
    "@tillkit/woocommerce",
    () => import("@tillkit/woocommerce"),
  );
  const config = await readWooCommerceConfigFile(configFile);
  const progress = (done: number, total: number) => {
    if (done % SHOPS_PER_NOTICE === 0) terminal.notice(`${done} of ${formatCount(total, "shop")} checked.`);
  };
  let checks = 0;
  for await (const check of examineWooCommerce(config, { store: args.values.get("store"), progress })) {
    checks += 1;
    yield check;
  }
  if (checks === 0)
    yield careful("shops", `No shop is connected yet: its owner enters the address ${config.publicUrl} in the plugin.`);
}

const SHOPS_PER_NOTICE = 50;
