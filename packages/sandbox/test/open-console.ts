import type { Sandbox } from "../src/index.ts";

/** A page of the console as it came. */
export type Page = { status: number; text: string; location: string | null; headers: Headers };

/** A page of the console, as a browser gets it. */
export async function openPage(sandbox: Sandbox, path: string): Promise<Page> {
  return read(await fetch(sandbox.consoleUrl + path, { redirect: "manual" }));
}

/** A button of the console, pressed on its own page unless the headers say otherwise. */
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

/** The sentence above a page, or null. */
export function messageOf({ text }: Page): string | null {
  return /<p class="said[^>]*>([^<]*)</.exec(text)?.[1] ?? null;
}
