import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export type OfflineBrowser = {
  /** A window in which only the site's own address can be reached. */
  open(size: { readonly width: number; readonly height: number }, locale: string): Promise<Page>;
  /** Addresses of other machines that a page asked for, and errors that it wrote to the console. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

/**
 * @returns the path of Chromium, or null if this machine has no Chromium
 * @throws Error in CI without Chromium, because nobody reads there which tests were skipped
 */
export function findChromium(): string | null {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  if (found === undefined && process.env.CI)
    throw new Error("The site cannot be read: install chromium, or put it on PATH.");
  return found ?? null;
}

/** Opens a browser that can reach only this machine, because no host name is resolved. */
export async function openOfflineBrowser(executablePath: string, origin: string): Promise<OfflineBrowser> {
  const args = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"];
  const browser: Browser = await chromium.launch({ executablePath, args });
  const complaints: string[] = [];
  return {
    complaints,
    async open(viewport, locale) {
      const context: BrowserContext = await browser.newContext({ viewport, locale });
      const page = await context.newPage();
      page.on("request", (request) => {
        const isInline = /^(?:data|blob):/.test(request.url());
        if (!isInline && new URL(request.url()).origin !== origin) complaints.push(request.url());
      });
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      return page;
    },
    close: () => browser.close(),
  };
}
