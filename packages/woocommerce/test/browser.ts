import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { PATIENCE_MS } from "../../../test/waiting/patience.ts";

/** Null if this machine has a browser, else the reason why tests in a browser are skipped. */
export function browserSkipReason(): string | null {
  if (findChromium() !== null) return null;
  const reason = "no Chromium on this machine: install chromium, or put it on PATH";
  // In CI a skipped test would look like a passed one.
  if (process.env.CI) throw new Error(`The tests in a browser cannot run: ${reason}.`);
  return reason;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("There is no Chromium on this machine.");
  return await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: PATIENCE_MS });
}

function findChromium(): string | null {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}
