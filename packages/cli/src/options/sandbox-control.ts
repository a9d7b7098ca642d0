import type { CommandLine } from "../command-line/command.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { resolveServiceUrl } from "./service-option.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Calls one route of a sandbox's control API. @throws Error with the sandbox's own sentence */
export type SandboxControl = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<JsonRecord>;

/**
 * The control API of the sandbox that the command line names.
 * @throws Error when the service is not on this machine: the real service has no such routes
 */
export async function openSandboxControl(args: CommandLine): Promise<SandboxControl> {
  const service = await resolveServiceUrl(args);
  const { isLoopbackUrl } = await import("@tillkit/client");
  if (!isLoopbackUrl(service))
    throw new Error(
      "This command controls a sandbox on this machine, not the service itself: start one with tillkit sandbox.",
    );
  return controlOf(service);
}

/** @param service the address of a sandbox on this machine */
export function controlOf(service: string): SandboxControl {
  return (method, path, body) => callControl(`${service}/sandbox${path}`, method, body);
}

/** The test key of a sandbox's first merchant. @throws UsageError when the address is not on this machine */
export async function readSandboxKey(baseUrl: string): Promise<string> {
  const { isLoopbackUrl } = await import("@tillkit/client");
  if (!isLoopbackUrl(baseUrl))
    throw new UsageError("A sandbox is on this machine: use --service for any other address.");
  const { data } = await controlOf(baseUrl)("GET", "/organizations");
  const [first] = (Array.isArray(data) ? data : []) as SandboxMerchant[];
  const key = first?.keys?.test?.secret;
  if (key === undefined) throw new Error("The sandbox has no merchant with a test key.");
  return key;
}

type SandboxMerchant = { readonly keys?: { readonly test?: { readonly secret?: string } } };

async function callControl(url: string, method: string, body: object | undefined): Promise<JsonRecord> {
  const noSandbox = () => new Error(`No sandbox answers at ${new URL(url).origin}: start one with tillkit sandbox.`);
  const response = await fetch(url, {
    method,
    // A program on this machine that is no sandbox could lead the request elsewhere.
    redirect: "error",
    ...(body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  }).catch(() => {
    throw noSandbox();
  });
  const answer = parseRecord(await response.text());
  if (answer === null) throw noSandbox();
  if (response.ok) return answer;
  const { message } = (answer.error ?? {}) as { readonly message?: string };
  throw new Error(message ?? `The sandbox answered ${response.status}.`);
}

/** Null for an answer that is no JSON: another program has the port. */
function parseRecord(text: string): JsonRecord | null {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? { data: value } : (value as JsonRecord);
  } catch {
    return null;
  }
}

/** A text of a record that the sandbox returned; empty when it is missing. */
export function textOf(record: JsonRecord, name: string): string {
  const value = record[name];
  return typeof value === "string" ? value : "";
}
