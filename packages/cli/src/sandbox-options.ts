import type { CAC } from "cac";
import { UsageError } from "./usage-error.ts";

type Options = { port?: unknown; data?: unknown; json?: boolean };

export function addSandboxCommand(tillkit: CAC): void {
  tillkit
    .command("sandbox", "Run the payment service on this machine, to develop and test against")
    .option("--port <number>", "Port to listen on (default: a free one)")
    .option("--data <directory>", 'Where keys and payments are kept; ":memory:" keeps nothing', { default: ":memory:" })
    .option("--json", "Say addresses and keys as one line of JSON, the first on standard output")
    .example("tillkit sandbox --port 4010 --data .tillkit/sandbox")
    .action(async (options: Options) => {
      const settings = { port: readPort(options.port), data: readData(options.data), json: options.json === true };
      const { runSandbox } = await import("./sandbox-command.ts");
      await runSandbox(settings);
    });
}

function readPort(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new UsageError(`The port must be a whole number from 0 (any free port) to 65535, not "${value}".`);
}

function readData(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number") return String(value);
  throw new UsageError("Give --data one directory, or :memory: to keep nothing.");
}
