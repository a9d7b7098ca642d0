import process from "node:process";
import type { ServiceClient } from "@tillkit/client";
import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";

/** @param purpose what the command needs the service for */
export function serviceOptions(purpose: string): Readonly<Record<string, Option>> {
  return {
    service: {
      value: "url",
      description: `the address of the service's API, ${purpose}; needs its secret key in SERVICE_SECRET_KEY`,
    },
  };
}

/** Returns null when the command line has no `--service`. The key never comes from the command line, where other users could read it. */
export async function openService({ values }: CommandLine): Promise<ServiceClient | null> {
  const baseUrl = values.get("service");
  if (baseUrl === undefined) return null;
  const apiKey = process.env.SERVICE_SECRET_KEY;
  if (!apiKey) throw new UsageError("Set the environment variable SERVICE_SECRET_KEY to the service's secret key.");
  const { createServiceClient } = await import("@tillkit/client");
  return createServiceClient({ apiKey, baseUrl });
}
