import type { Command } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";

export const sandbox: Command = {
  name: "sandbox",
  summary: "Run a local sandbox of the payment service, for development and tests",
  positionals: [],
  options: {
    port: { value: "number", description: "the port; the default is a free one" },
    data: {
      value: "directory",
      description: "where to store keys and payments; :memory: (the default) stores nothing",
    },
    json: {
      description: "print one line of JSON with the addresses and keys, and nothing else",
    },
    quiet: { description: "print the addresses and keys only, not the requests and webhooks as they happen" },
  },
  example: "tillkit sandbox --port 4010 --data .tillkit/sandbox",
  async run({ values, flags }, terminal) {
    const port = parsePort(values.get("port") ?? "0");
    const data = values.get("data") ?? ":memory:";
    const { runSandbox } = await import("@tillkit/sandbox");
    await runSandbox({
      port,
      data,
      json: flags.has("json"),
      quiet: flags.has("quiet"),
      print: (text) => terminal.log(text),
    });
  },
};

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`The port must be a whole number from 0 (any free port) to 65535, not "${text}".`);
}
