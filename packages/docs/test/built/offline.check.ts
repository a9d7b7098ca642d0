import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFolder, repository } from "../../src/folders.ts";
import { findChromium, type OfflineBrowser, openOfflineBrowser } from "./offline-browser.ts";
import { serveFolder } from "./serve-folder.ts";

const PICTURES = join(repository, "test-results/docs");
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

const chromium = findChromium();
const skipNote = chromium === null ? " (skipped: no Chromium on this machine)" : "";

describe.skipIf(chromium === null)(`the built site in a browser without a network${skipNote}`, () => {
  let browser: OfflineBrowser;
  let origin: string;
  let stop: () => void;
  beforeAll(async () => {
    ({ origin, close: stop } = await serveFolder(builtFolder));
    browser = await openOfflineBrowser(chromium ?? "", origin);
    mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    stop?.();
  });

  async function search(page: Page, button: string, words: string): Promise<readonly string[]> {
    await page.getByRole("button", { name: button }).first().click();
    const input = page.locator("#localsearch-input");
    const found = page.locator("#localsearch-list a");
    // The box opens with what was asked before, and answers a moment after each change.
    await input.fill("");
    await expect.poll(() => found.count()).toBe(0);
    await input.fill(words);
    await found.first().waitFor();
    const links = await found.all();
    return await Promise.all(links.map(async (link) => (await link.getAttribute("href")) ?? ""));
  }

  it.each([
    {
      language: "en-GB",
      start: "/",
      button: "Search",
      words: "refund_in_doubt",
      page: "/errors.html",
      name: "search-en",
    },
    { language: "fr-FR", start: "/fr/", button: "Rechercher", words: "remboursement", page: "/fr/", name: "search-fr" },
  ])(
    "a reader in $language finds $words and opens the page",
    async ({ language, start, button, words, page: expectedPath, name }) => {
      const page = await browser.open(DESKTOP, language);
      await page.goto(origin + start);
      const found = await search(page, button, words);
      await page.screenshot({ path: join(PICTURES, `${name}.png`) });
      expect(found[0]).toContain(expectedPath);
      await page.locator("#localsearch-list a").first().click();
      await page.waitForURL(new RegExp(expectedPath.replaceAll("/", "\\/")));
      // The address changes before the site has loaded the page's text.
      await expect.poll(() => page.locator("main").textContent()).toMatch(new RegExp(words, "i"));
      await page.context().close();
    },
  );

  // What people type, and the page that answers it.
  const asked: readonly [words: string, page: string][] = [
    ["wrong webhook secret", "/errors.html"],
    ["refund", "/guides/refunds.html"],
    ["go live", "/guides/going-live.html"],
    ["backup", "/guides/backups.html"],
    ["nginx", "/guides/deployment.html"],
    ["test card", "/guides/sandbox.html"],
    ["lose a webhook", "/guides/break-it.html"],
    ["PCI", "/guides/pci.html"],
    ["SAQ A", "/guides/pci.html"],
    ["accessibility", "/guides/pci.html"],
    ["GDPR", "/guides/privacy.html"],
    ["vendure", "/quick-start/vendure.html"],
    ["fastify", "/quick-start/own-platform.html"],
    ["doctor", "/api/cli/"],
    ["sandbox", "/guides/sandbox.html"],
    ["mcp", "/guides/assistants.html"],
    ["prometheus", "/guides/observability.html"],
    ["idempotency", "/service-api/"],
    ["401", "/errors.html"],
    ["kill the server", "/guides/break-it.html"],
    ["explain", "/api/cli/"],
    ["mobile money pending", "/guides/pending.html"],
    ["write class", "/concepts/writes.html"],
  ];

  it("what people type leads to the page that answers it, among the first three, and the changelog is never among them", async () => {
    const page = await browser.open(DESKTOP, "en-GB");
    await page.goto(origin);
    const wrong: string[] = [];
    for (const [words, expected] of asked) {
      const [...first] = (await search(page, "Search", words)).slice(0, 3);
      if (!first.some((href) => href.includes(expected)) || first.some((href) => href.includes("/changelog")))
        wrong.push(`${words}: ${first.join(" ")}`);
      await page.keyboard.press("Escape");
    }
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["home", "/"],
    ["own-platform", "/quick-start/own-platform.html"],
    ["errors", "/errors.html"],
    ["operations", "/service-api/operations.html"],
    ["ledger-types", "/api/ledger/types.html"],
    ["two-ways", "/concepts/two-ways.html"],
    ["home-fr", "/fr/"],
  ])("the page %s fits a phone and a screen and has no serious accessibility problem", async (name, path) => {
    for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      const page = await browser.open(viewport, "en-GB");
      await page.goto(origin + path);
      await page.screenshot({ path: join(PICTURES, `${name}-${size}.png`) });
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${name} on a ${size}`).toBeLessThanOrEqual(
        viewport.width,
      );
      expect(await seriousProblems(page), `${name} on a ${size}`).toEqual([]);
      await page.context().close();
    }
  });

  it("no page sent a request to another machine or wrote an error to the console", () => {
    expect(browser.complaints).toEqual([]);
  });
});

type Finding = {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
};

async function seriousProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate<{ violations: Finding[] }>("axe.run({ runOnly: ['wcag2a', 'wcag2aa'] })");
  const serious = violations.filter(({ impact }) => impact === "critical" || impact === "serious");
  return serious.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 120))
        .join(" | ")}`,
  );
}
