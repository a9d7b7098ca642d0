import type { Command } from "../../command-line/command.ts";
import { printJson } from "../../command-line/print-rows.ts";
import { configOptions, parseConfigPath } from "../../options/config-option.ts";

export const guard: Command = {
  name: "guard",
  summary: "Watch shops and the money at the service, and alert of every new difference; only reads",
  positionals: [],
  options: {
    ...configOptions,
    json: { description: "print one JSON object with the address of its page as the first line on standard output" },
  },
  example: "tillkit guard --config /etc/tillkit/guard.json",
  async run(args, terminal) {
    const { readAuditConfig, serveGuard } = await import("@tillkit/audit");
    const { readConfigFile } = await import("@tillkit/server/config");
    const config = readAuditConfig(await readConfigFile(parseConfigPath(args)));
    await serveGuard({
      config,
      started(facts) {
        if (args.flags.has("json")) printJson(terminal, facts);
        else terminal.log(`Watching ${facts.shops.join(", ")}. What is open: ${facts.baseUrl}/`);
      },
    });
  },
};
