import { color } from "../../command-line/color.ts";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { loadPackage } from "../../command-line/load-package.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { configOptions, parseConfigPath } from "../../options/config-option.ts";
import { openService, serviceOptions } from "../../options/service-option.ts";
import { type Check, checkEndpoints, checkServer } from "./check-server.ts";

const SIGNS = { ok: "✓", warning: "!", error: "✗" } as const;

export const doctor: Command = {
  name: "doctor",
  summary: "Check a running checkout server, or every shop of a configuration, and say what to fix",
  positionals: [],
  options: {
    server: {
      value: "address",
      description: "check the checkout server at this address: encryption, health, readiness, clock and webhook route",
    },
    webhook: { value: "address", description: "(with --server) the address of the server's webhook route" },
    ...serviceOptions("(with --server) to check its webhook endpoints too"),
    woocommerce: { description: "check the configuration of the WooCommerce checkout server" },
    ...configOptions,
    json: { description: "print one line of JSON for each check" },
  },
  example: "tillkit doctor --server https://shop.example --webhook https://shop.example/hooks/service/shop",
  async run(args, terminal) {
    if (args.flags.has("woocommerce") === args.values.has("server")) {
      throw new UsageError(
        "Say what to check: tillkit doctor --server <address>, or tillkit doctor --woocommerce --config <file>.",
      );
    }
    const checks = args.values.has("server") ? serverChecks(args) : woocommerceChecks(args);
    let errors = 0;
    for await (const check of checks) {
      if (check.status === "error") errors += 1;
      print(check, args.flags.has("json"), terminal);
    }
    if (errors > 0) throw new Error(errors === 1 ? "1 error was found." : `${errors} errors were found.`);
  },
};

type AnyCheck = Check & { readonly storeId?: string };

function print(check: AnyCheck, json: boolean, terminal: Terminal): void {
  const sign = color(SIGNS[check.status], check.status === "ok");
  const store = check.storeId === undefined ? "" : `${check.storeId}  `;
  terminal.log(json ? JSON.stringify(check) : `${sign} ${store}${check.check}: ${check.message}`);
}

async function* serverChecks(args: CommandLine): AsyncGenerator<AnyCheck> {
  const server = (args.values.get("server") ?? "").replace(/\/+$/, "");
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
    throw new UsageError(`The address of the server must look like https://shop.example, not "${server}".`);
  const client = await openService(args);
  const known: string[] = [];
  for await (const { url, ...check } of client ? checkEndpoints(client, server) : []) {
    if (url !== undefined) known.push(url);
    yield check;
  }
  yield* checkServer(server, args.values.get("webhook") ?? known[0] ?? null);
}

async function* woocommerceChecks(args: CommandLine): AsyncGenerator<AnyCheck> {
  const configFile = parseConfigPath(args);
  const { examineWooCommerce, readWooCommerceConfigFile } = await loadPackage(
    "@tillkit/woocommerce",
    () => import("@tillkit/woocommerce"),
  );
  yield* examineWooCommerce(await readWooCommerceConfigFile(configFile));
}
