import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { stopSignal } from "../../command-line/stop-signal.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { findDocs } from "../../options/find-docs.ts";
import { type LedgerAddress, ledgerOptions, ledgerUrl } from "../../options/ledger-option.ts";
import { parseAddress } from "../../options/parse-address.ts";

/** No flag adds a tool that moves money, decides, retries or erases: there is none. */
export const mcp: Command = {
  name: "mcp",
  summary:
    "Let a developer's assistant read a ledger, a server and the documentation, and control a sandbox (MCP over stdio)",
  positionals: [],
  options: {
    ...ledgerOptions,
    server: { value: "address", description: "the checkout server that the tool doctor checks" },
    sandbox: {
      value: "url",
      description:
        "the address of a sandbox on this machine, for the tools that control it; the default is SERVICE_BASE_URL",
    },
  },
  example:
    "tillkit mcp --ledger sqlite:.data/payments.db --server http://127.0.0.1:3000 --sandbox http://127.0.0.1:3001",
  async run(args, terminal) {
    const ledger = ledgerOf(args);
    const [server, sandbox] = [await serverOf(args), await sandboxOf(args)];
    const { docsTools } = await import("./docs-tools.ts");
    const { doctorTool } = await import("./doctor-tool.ts");
    const { ledgerTools } = await import("./ledger-tools.ts");
    const { sandboxTools } = await import("./sandbox-tools.ts");
    const { serveMcp } = await import("./serve.ts");
    const tools = [
      ...docsTools(findDocs(fileURLToPath(new URL(".", import.meta.url)))),
      ...(ledger === null ? [] : ledgerTools(ledger)),
      ...(ledger === null && server === null ? [] : [doctorTool({ server, sandbox, ledger })]),
      ...(sandbox === null ? [] : sandboxTools(sandbox)),
    ];
    terminal.notice(`Tools: ${tools.map(({ name }) => name).join(", ")}.`);
    await serveMcp(tools, { input: process.stdin, output: process.stdout, stop: stopSignal() });
  },
};

function ledgerOf(args: CommandLine): LedgerAddress | null {
  const url = ledgerUrl(args);
  return url === undefined ? null : { url, schema: args.values.get("schema") };
}

async function serverOf({ values }: CommandLine): Promise<string | null> {
  const server = values.get("server");
  return server === undefined ? null : parseAddress("--server", server, "base");
}

/** The address of a sandbox, or null. @throws UsageError for a service that is not on this machine: no tool may reach it */
async function sandboxOf({ values }: CommandLine): Promise<string | null> {
  const { isLoopbackUrl } = await import("@tillkit/client");
  const option = values.get("sandbox");
  if (option !== undefined) {
    const address = await parseAddress("--sandbox", option, "base");
    if (isLoopbackUrl(address)) return address;
    throw new UsageError("A sandbox is on this machine: --sandbox names an address such as http://127.0.0.1:4010.");
  }
  const { SERVICE_BASE_URL = "" } = process.env;
  return isLoopbackUrl(SERVICE_BASE_URL) ? parseAddress("SERVICE_BASE_URL", SERVICE_BASE_URL, "base") : null;
}
