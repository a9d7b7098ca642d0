import process from "node:process";
import type { ServiceClient } from "@tillkit/client";
import type { CommandLine, Option } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** @param why what the service is asked for */
export function serviceOption(why: string): Readonly<Record<string, Option>> {
  return {
    service: { value: "url", says: `where the service's API is, ${why}; its secret key in SERVICE_SECRET_KEY` },
  };
}

/** Null: nobody said where the service is. */
export async function openService({ values }: CommandLine): Promise<ServiceClient | null> {
  const baseUrl = values.get("service");
  if (baseUrl === undefined) return null;
  const apiKey = process.env.SERVICE_SECRET_KEY;
  if (!apiKey) throw new UsageError("Put the service's secret key into the environment: SERVICE_SECRET_KEY.");
  const { createServiceClient } = await import("@tillkit/client");
  return createServiceClient({ apiKey, baseUrl });
}
