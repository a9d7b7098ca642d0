import { parseArgs } from "node:util";
import { type Choices, HOSTS, type Host, nameMistake, PACKAGE_MANAGERS, type PackageManager } from "./choices.ts";

/** The choices on the command line. The other choices are asked for or have their defaults. */
export type Flags = Partial<Omit<Choices, "name" | "packages">> & {
  readonly packages?: string;
  readonly help: boolean;
  readonly yes: boolean;
};

const options = {
  host: { type: "string" },
  packages: { type: "string" },
  npm: { type: "boolean" },
  pnpm: { type: "boolean" },
  yarn: { type: "boolean" },
  "no-install": { type: "boolean" },
  "no-agents": { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  help: { type: "boolean", short: "h" },
} as const;

/** @throws Error whose message names the first mistake */
export function parseFlags(args: readonly string[]): Flags {
  const { values, positionals, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name));
  if (unknown?.kind === "option") throw new Error(`There is no option ${unknown.rawName}.`);
  if (positionals.length > 1) throw new Error(`Name one folder, not ${positionals.length}: ${positionals.join(", ")}.`);
  const [folder] = positionals;
  const { host, packages } = values;
  if (host !== undefined && !isHost(host)) throw new Error(`The host must be one of ${HOSTS.join(", ")}.`);
  if (packages !== undefined && typeof packages !== "string") throw new Error("--packages needs a folder.");
  const managers = PACKAGE_MANAGERS.filter((name) => values[name] === true);
  if (managers.length > 1) throw new Error(`Choose one of ${managers.map((name) => `--${name}`).join(" and ")}.`);
  return {
    help: values.help === true,
    yes: values.yes === true,
    ...(folder === undefined ? {} : { folder }),
    ...(host === undefined ? {} : { host }),
    ...(packages === undefined ? {} : { packages }),
    ...(managers[0] === undefined ? {} : { packageManager: managers[0] }),
    ...(values["no-install"] === true ? { install: false } : {}),
    ...(values["no-agents"] === true ? { agents: false } : {}),
  };
}

/** The package manager that started this program, for example pnpm for `pnpm create tillkit`. npm if the user agent is unknown. */
export function runningPackageManager(userAgent: string | undefined): PackageManager {
  return PACKAGE_MANAGERS.find((name) => userAgent?.startsWith(`${name}/`)) ?? "npm";
}

/** The last part of the folder's path. @throws Error if this part cannot be the name of a package */
export function nameOf(folder: string): string {
  const parts = folder.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  const name = parts.at(-1) ?? "";
  const mistake = nameMistake(name);
  if (mistake !== null) throw new Error(mistake);
  return name;
}

function isHost(value: unknown): value is Host {
  return HOSTS.some((host) => host === value);
}
