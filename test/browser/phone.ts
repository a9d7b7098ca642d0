import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import process from "node:process";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE_MS } from "../waiting/patience.ts";

/** A shopper's phone. */
const PHONE = { width: 390, height: 844 };

export type BrowserOptions = { readonly javaScript?: boolean; readonly language?: "fr" | "en" };

/** Where `npm run pictures` lets the browser tests save their pictures. It copies some of them into the repository. */
export const PICTURES = "test-results/browser";

/** Returns why the browser tests cannot run here, or null if they can. */
export function whyNoBrowser(): string | null {
  if (findChromium() !== null) return null;
  const reason = "no Chromium on this machine: install chromium, or put it on PATH";
  // In CI nobody reads the skipped tests, so a missing browser must fail.
  if (process.env.CI) throw new Error(`The browser tests cannot run: ${reason}.`);
  return reason;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("There is no Chromium on this machine.");
  return await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: PATIENCE_MS });
}

export async function openPhone(
  browser: Browser,
  options: BrowserOptions & { width?: number } = {},
): Promise<BrowserContext> {
  return await browser.newContext({
    viewport: { ...PHONE, width: options.width ?? PHONE.width },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: options.language === "en" ? "en-GB" : "fr-FR",
    javaScriptEnabled: options.javaScript ?? true,
  });
}

/** A desktop browser, in English unless another language is asked for. A zoom of 4 is what people call 400 %. */
export async function openDesktop(
  browser: Browser,
  options: BrowserOptions & { zoom?: number } = {},
): Promise<BrowserContext> {
  const { zoom = 1 } = options;
  return await browser.newContext({
    viewport: { width: 1280 / zoom, height: 800 / zoom },
    deviceScaleFactor: zoom,
    locale: options.language === "fr" ? "fr-FR" : "en-GB",
    javaScriptEnabled: options.javaScript ?? true,
  });
}

/** Where `npm run pictures -- looks` saves each page in every look. */
const LOOKS = "test-results/looks";
const LOOK_WIDTHS = [360, 1_280, 1_920];
const LOOK_MEDIA = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  forced: { colorScheme: "dark", forcedColors: "active" },
} as const;

/** Saves the page in three widths, each in light, dark and forced colours. It takes seconds, so only `TILLKIT_LOOKS=1` does it. */
async function saveLooks(page: Page, name: string): Promise<void> {
  const screen = page.viewportSize();
  if (process.env.TILLKIT_LOOKS === undefined || screen === null) return;
  await mkdir(LOOKS, { recursive: true });
  for (const [look, media] of Object.entries(LOOK_MEDIA)) {
    await page.emulateMedia(media);
    for (const width of LOOK_WIDTHS) {
      await page.setViewportSize({ width, height: width < 600 ? 780 : 1_000 });
      await page.screenshot({ path: join(LOOKS, `${name}-${width}-${look}.png`), fullPage: true, scale: "css" });
      await expectFits(page, `${name} at ${width} px`);
    }
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  await page.setViewportSize(screen);
}

/**
 * Checks that the page is neither wider than the screen nor heavier than a page may be. Its picture takes longer than all checks, so only
 * `npm run pictures` keeps it.
 */
export async function savePicture(page: Page, name: string): Promise<void> {
  await saveLooks(page, name);
  if (process.env.TILLKIT_PICTURES === "keep") {
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }
  await expectFits(page, name);
  expect(await pageWeight(page), `${name} must weigh at most ${HEAVIEST_PAGE} bytes`).toBeLessThanOrEqual(
    HEAVIEST_PAGE,
  );
}

/**
 * What a finger cannot hit: a control of less than 44 px. A link inside a sentence may be smaller, and a box counts with its label.
 * A string, because this repository's types do not include the DOM.
 */
const SMALL_TARGETS = `(() => {
  const small = [];
  for (const element of document.querySelectorAll("a[href],button,input:not([type=hidden]),select,textarea,summary")) {
    const target = element.matches("[type=checkbox],[type=radio]") ? (element.closest("label") ?? element.labels[0] ?? element) : element;
    const { width, height } = target.getBoundingClientRect();
    const isHidden = width <= 4 || height <= 4 || getComputedStyle(target).visibility === "hidden" || target.closest(".skip");
    const coversRow = getComputedStyle(target, "::after").position === "absolute";
    if (isHidden || coversRow || (target.tagName === "A" && getComputedStyle(target).display === "inline")) continue;
    if (height < 43.5 || width < 43.5) small.push(target.outerHTML.slice(0, 160) + " " + Math.round(width) + " x " + Math.round(height));
  }
  return small;
})()`;

const WIDEST_PHONE = 500;

/** Checks that everything on a phone can be hit with a finger. */
async function expectTouchTargets(page: Page, name: string): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) > WIDEST_PHONE) return;
  expect(await page.evaluate(SMALL_TARGETS), `${name} has targets of less than 44 px`).toEqual([]);
}

/** Saves a picture and checks the page with axe-core, which must find no violation and needs a page with JavaScript. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await savePicture(page, name);
  await expectTouchTargets(page, name);
  const violations = await accessibilityProblems(page);
  expect(violations, `${name}, ${pathOf(page)}`).toEqual([]);
}

/** Checks that the page is not wider than the screen. */
export async function expectFits(page: Page, name: string): Promise<void> {
  const width = await page.evaluate("document.documentElement.scrollWidth");
  expect(width, `${name} must not be wider than the screen`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

/** The limit for a page with its style, scripts and pictures, as they are sent: compressed, and each with its headers. */
const HEAVIEST_PAGE = 30 * 1024;
/** An estimate for the headers of one response, whose size the browser does not tell. */
const HEADER_BYTES = 300;

// A string, because this repository's types do not include the DOM. Fetches by which a page updates itself are left out.
// A file from the browser's cache counts with the size with which it was once sent.
const SENT_SIZES = `(() => {
  const files = performance.getEntriesByType("resource").filter(({ initiatorType }) => initiatorType !== "fetch");
  const sent = [...performance.getEntriesByType("navigation"), ...files];
  return sent.map(({ encodedBodySize }) => encodedBodySize + ${HEADER_BYTES});
})()`;

/** What the page weighs over the wire, in bytes. */
export async function pageWeight(page: Page): Promise<number> {
  const sizes = (await page.evaluate(SENT_SIZES)) as number[];
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * What is left of an element's look in forced colours, in which shadows and most backgrounds are gone: its lines, the weight of its
 * text, and a background that the page insists on. A string, because this repository's types do not include the DOM.
 */
const LOOK_WITHOUT_COLOUR = `element => [null, "::before", "::after"].map((part) => {
  const style = getComputedStyle(element, part);
  const background = style.forcedColorAdjust === "none" ? style.backgroundColor : "";
  return [style.borderWidth, style.borderStyle, style.textDecorationLine, style.fontWeight, background].join(" ");
}).join("; ")`;

/** Checks that in forced colours, such as Windows' high contrast, the element in a state differs from one that is not in it. */
export async function expectStateWithoutColour(page: Page, inState: string, other: string): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  const look = async (selector: string) =>
    await page.evaluate(`(${LOOK_WITHOUT_COLOUR})(document.querySelector(${JSON.stringify(selector)}))`);
  expect(await look(inState), `${inState} on ${pathOf(page)}`).not.toBe(await look(other));
  await page.emulateMedia({ forcedColors: null });
}

async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // Evaluate the script instead of adding a <script>, which the page's policy would block.
  await page.evaluate(await axeSource());
  const results = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(options: unknown): Promise<AxeResults> } };
    return axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
  });
  return results.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(" | ")})`,
  );
}

let axe: Promise<string> | undefined;

async function axeSource(): Promise<string> {
  axe ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  return await axe;
}

// Returns the path of the page without tokens.
export function pathOf(page: Page): string {
  return new URL(page.url()).pathname.replace(/[\w.-]{16,}/g, "…");
}

function findChromium(): string | null {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}
