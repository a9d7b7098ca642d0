import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Command, CommandLine } from "../command-line/command.ts";
import { adviceFor } from "../command-line/nearest.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { findDocs } from "../options/find-docs.ts";
import { parseAddress } from "../options/parse-address.ts";
import { jsonOption } from "../options/row-options.ts";
import { requiredServiceOptions, resolveServiceUrl } from "../options/service-option.ts";

const PAGES: Readonly<Record<string, (args: CommandLine) => Promise<string>>> = {
  console: consoleUrl,
  operators: operatorsUrl,
  docs: docsUrl,
};

export const open: Command = {
  name: "open",
  summary: "Open the console of a sandbox, the operators' pages of a server, or the documentation",
  positionals: ["console|operators|docs"],
  options: {
    server: { value: "address", description: "(operators only) the address of the checkout server" },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit open console",
  async run(args, terminal) {
    const [page = ""] = args.positionals;
    const addressOf = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined;
    if (!addressOf) throw new UsageError(`There is no page "${page}": ${adviceFor(page, Object.keys(PAGES))}`);
    const url = await addressOf(args);
    // A script wants the address; a person at a terminal wants the page.
    const opened = process.stdout.isTTY === true;
    if (opened) openInBrowser(url);
    terminal.log(args.flags.has("json") ? JSON.stringify({ page, url, opened }) : url);
  },
};

async function consoleUrl(args: CommandLine): Promise<string> {
  const service = await resolveServiceUrl(args);
  const { isLoopbackUrl } = await import("@tillkit/client");
  if (isLoopbackUrl(service)) return `${new URL(service).origin}/sandbox/console`;
  throw new UsageError("Only a sandbox on this machine has a console: start one with tillkit sandbox.");
}

async function operatorsUrl({ values }: CommandLine): Promise<string> {
  const server = values.get("server");
  if (server === undefined)
    throw new UsageError("Name the checkout server: tillkit open operators --server http://127.0.0.1:3000/checkout.");
  return `${await parseAddress("--server", server, "base")}/operators`;
}

async function docsUrl(): Promise<string> {
  const folder = findDocs(fileURLToPath(new URL(".", import.meta.url)));
  if (folder !== null) return pathToFileURL(join(folder, "index.md")).href;
  throw new Error("This copy of tillkit has no documentation: in a clone of the repository, use npm run docs.");
}

/** Without a browser the printed address is enough, so a failure is no error. */
function openInBrowser(url: string): void {
  const [program = "xdg-open", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};
