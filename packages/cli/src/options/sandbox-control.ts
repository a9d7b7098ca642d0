import type { CommandLine } from "../command-line/command.ts";
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
  return (method, path, body) => callControl(`${service}/sandbox${path}`, method, body);
}

async function callControl(url: string, method: string, body: object | undefined): Promise<JsonRecord> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  }).catch(() => {
    throw new Error(`No sandbox answers at ${new URL(url).origin}: start one with tillkit sandbox.`);
  });
  const answer = parseRecord(await response.text());
  if (response.ok) return answer;
  const { message } = (answer.error ?? {}) as { readonly message?: string };
  throw new Error(message ?? `The sandbox answered ${response.status}.`);
}

function parseRecord(text: string): JsonRecord {
  if (text === "") return {};
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? { data: value } : (value as JsonRecord);
}

/** A text of a record that the sandbox returned; empty when it is missing. */
export function textOf(record: JsonRecord, name: string): string {
  const value = record[name];
  return typeof value === "string" ? value : "";
}
