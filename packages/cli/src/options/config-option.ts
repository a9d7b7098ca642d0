import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

export const configOptions: Readonly<Record<string, Option>> = {
  config: { value: "file", description: "read the configuration from this JSON file" },
};

export function parseConfigPath({ values }: CommandLine): string {
  const path = values.get("config");
  if (path === undefined) throw new UsageError("The option --config <file> is required.");
  return path;
}
