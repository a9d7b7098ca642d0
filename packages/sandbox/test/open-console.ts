import type { Sandbox } from "../src/index.ts";

/** The response to a request to the console. */
export type Page = { status: number; text: string; location: string | null; headers: Headers };

/** Requests a page of the console and does not follow redirects. */
export async function openPage(sandbox: Sandbox, path: string): Promise<Page> {
  return read(await fetch(sandbox.consoleUrl + path, { redirect: "manual" }));
}

/** Submits a form of the console; the default headers are those of a form on a page of the console. */
export async function submitForm(
  sandbox: Sandbox,
  path: string,
  fields: Record<string, string> | [string, string][] = {},
  headers: Record<string, string> = { Origin: sandbox.baseUrl },
): Promise<Page> {
  const body = new URLSearchParams(fields);
  return read(await fetch(sandbox.consoleUrl + path, { method: "POST", body, headers, redirect: "manual" }));
}

async function read(response: Response): Promise<Page> {
  const { status, headers } = response;
  return { status, headers, text: await response.text(), location: headers.get("location") };
}

/** The message at the top of a page; null when it has none. */
export function messageOf({ text }: Page): string | null {
  return /<p class="said[^>]*>([^<]*)</.exec(text)?.[1] ?? null;
}
