import type { Command } from "../command.ts";
import { UsageError } from "../usage-error.ts";

export const sandbox: Command = {
  name: "sandbox",
  summary: "Run the payment service on this machine, to develop and test against",
  words: [],
  options: {
    port: { value: "number", says: "port to listen on; without it, a free one" },
    data: { value: "directory", says: "where keys and payments are kept; :memory: (the default) keeps nothing" },
    json: { says: "say addresses and keys as one line of JSON, the first on standard output" },
  },
  example: "tillkit sandbox --port 4010 --data .tillkit/sandbox",
  async run({ values, switches }, terminal) {
    const port = readPort(values.get("port") ?? "0");
    const data = values.get("data") ?? ":memory:";
    const { runSandbox } = await import("@tillkit/sandbox");
    await runSandbox({ port, data, json: switches.has("json"), print: (text) => terminal.log(text) });
  },
};

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`The port must be a whole number from 0 (any free port) to 65535, not "${text}".`);
}
