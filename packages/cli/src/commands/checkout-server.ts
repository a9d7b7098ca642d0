import type { Command } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { configOptions, parseConfigPath } from "../options/config-option.ts";
import { roleOptions } from "../options/role-option.ts";
import { parseSince, sinceOptions } from "../options/since-option.ts";

type Options = { readonly configFile: string; readonly print: (text: string) => void };

/** What the package of a platform runs. */
type Programs = {
  readonly serve: (options: Options & { readonly role: string | undefined; readonly json: boolean }) => Promise<void>;
  readonly recover: (options: Options & { readonly since: number }) => Promise<void>;
};

/** The command of a checkout server of PHP shops: each platform has the same, under its own name. */
export function checkoutServerCommand(name: string, shops: string, load: () => Promise<Programs>): Command {
  return {
    name,
    summary: `Run the checkout server of ${shops} shops (serve), or recover payments after a backup was restored (recover)`,
    positionals: ["serve|recover"],
    options: {
      ...configOptions,
      ...sinceOptions,
      ...roleOptions,
      json: {
        description: "(serve only) print one JSON object with the address as the first line on standard output",
      },
    },
    example: `tillkit ${name} serve --config /etc/tillkit/${name}.json`,
    async run(args, terminal) {
      const [action] = args.positionals;
      if (action !== "serve" && action !== "recover") {
        throw new UsageError(`Unknown subcommand "${action}": use tillkit ${name} serve or tillkit ${name} recover.`);
      }
      const configFile = parseConfigPath(args);
      const programs = await load();
      const print = (text: string) => terminal.log(text);
      if (action === "serve")
        await programs.serve({ configFile, role: args.values.get("role"), json: args.flags.has("json"), print });
      else await programs.recover({ configFile, since: parseSince(args), print });
    },
  };
}
