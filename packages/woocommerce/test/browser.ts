import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Null when there is a browser on this machine, otherwise why its tests are left out. */
export function whyNoBrowser(): string | null {
  if (findChromium() !== null) return null;
  const reason = "no Chromium on this machine: install chromium, or put it on PATH";
  // Where nobody reads what was skipped, a skipped test would count as passed.
  if (process.env.CI) throw new Error(`The pictures cannot be made: ${reason}.`);
  return reason;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("There is no Chromium on this machine.");
  return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

function findChromium(): string | null {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}
