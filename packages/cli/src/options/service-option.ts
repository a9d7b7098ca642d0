import process from "node:process";
import type { ServiceClient } from "@tillkit/client";
import type { CommandLine, Option } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { parseAddress } from "./parse-address.ts";
import { type Profile, readProfile } from "./profiles.ts";

/** @param purpose what the command needs the service for */
export function serviceOptions(purpose: string): Readonly<Record<string, Option>> {
  return {
    service: {
      value: "url",
      description: `the address of the service's API, ${purpose}; needs its secret key in SERVICE_SECRET_KEY`,
    },
    profile: {
      value: "name",
      description: "use the address and the key that tillkit config init stored under this name",
    },
  };
}

/**
 * The options of commands that always call the service: without `--service` and `--profile` they use the environment, then the
 * profile `default`.
 */
export const requiredServiceOptions = serviceOptions("or SERVICE_BASE_URL, or the profile named default");

/** Returns null when the command line has no `--service` and no `--profile`. The key never comes from the command line, where other users could read it. */
export async function openService(args: CommandLine): Promise<ServiceClient | null> {
  if (!args.values.has("service") && !args.values.has("profile")) return null;
  return openRequiredService(args);
}

/** @throws UsageError that says how to name a service and its key */
export async function openRequiredService(args: CommandLine): Promise<ServiceClient> {
  const { service, secretKey } = await resolveService(args);
  const { createServiceClient } = await import("@tillkit/client");
  return createServiceClient({ apiKey: secretKey, baseUrl: service });
}

/** The address alone, without a trailing slash: a sandbox's control API needs no key. */
export async function resolveServiceUrl(args: CommandLine): Promise<string> {
  const profileName = profileNameOf(args);
  const url = profileName === undefined ? await givenServiceUrl(args) : null;
  return url ?? (await requireProfile(profileName)).service;
}

// Address and key come from one source, so that a key is never sent to the address of another source.
/** @throws UsageError that says how to name a service and its key */
export async function resolveService(args: CommandLine): Promise<Profile> {
  const profileName = profileNameOf(args);
  if (profileName !== undefined) return requireProfile(profileName);
  const service = await givenServiceUrl(args);
  const secretKey = process.env.SERVICE_SECRET_KEY;
  if (service === null) return requireProfile(undefined);
  if (secretKey) return { service, secretKey };
  throw new UsageError("Set the environment variable SERVICE_SECRET_KEY to the service's secret key.");
}

async function givenServiceUrl({ values }: CommandLine): Promise<string | null> {
  const option = values.get("service");
  if (option !== undefined) return parseAddress("--service", option, "base");
  const { SERVICE_BASE_URL } = process.env;
  return SERVICE_BASE_URL ? parseAddress("SERVICE_BASE_URL", SERVICE_BASE_URL, "base") : null;
}

function profileNameOf({ values }: CommandLine): string | undefined {
  if (values.has("profile") && values.has("service"))
    throw new UsageError("Use either --service or --profile, not both.");
  return values.get("profile");
}

async function requireProfile(profileName: string | undefined): Promise<Profile> {
  const name = profileName ?? "default";
  const profile = await readProfile(name);
  if (profile)
    return { ...profile, service: await parseAddress(`service of the profile "${name}"`, profile.service, "base") };
  if (profileName !== undefined)
    throw new UsageError(`There is no profile "${profileName}": tillkit config init --name ${profileName} creates it.`);
  throw new UsageError(
    "The option --service <url> is required, with the key in SERVICE_SECRET_KEY; or run tillkit config init once.",
  );
}
