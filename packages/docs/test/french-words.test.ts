import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMarkdownRenderer } from "vitepress";
import { describe, expect, it } from "vitest";
import config from "../site/.vitepress/config.ts";
import { repository, siteFolder } from "../src/folders.ts";
import { writtenPages } from "./read-site.ts";

/** The French texts that owners and shoppers read. */
const TEXT_FILES = [
  "packages/core/src/texts/timeline-texts.ts",
  "packages/core/src/texts/finding-texts.ts",
  "packages/core/src/texts/money-texts.ts",
  "packages/core/src/texts/not-payable-texts.ts",
  "packages/core/src/texts/refusal-texts.ts",
  "packages/server/src/shopper/page/french.ts",
  "packages/server/src/operators/texts/french.ts",
  "packages/php-bridge/php/languages/fr.po",
  "packages/woocommerce/wordpress-plugin/tillkit-checkout/languages/tillkit-checkout-fr_FR.po",
];

/** Pages that use « and » only to quote our messages. Other French pages use these marks also for words of the shop's own software. */
const QUOTING_PAGES = ["fr/errors.md", "fr/guides/pending.md", "fr/guides/refunds.md"];

/** Makes texts comparable: without emphasis, and with one kind of space and one kind of apostrophe. */
function withPlainCharacters(text: string): string {
  return text
    .replaceAll("**", "")
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .replaceAll("’", "'");
}

/** The parts of each quotation, split where it omits words: `« Le remboursement … a échoué »` has two parts. */
function quotedParts(page: string): readonly string[] {
  const quotes = [...withPlainCharacters(page).matchAll(/« ([^«»]+) »/g)].map(([, quote = ""]) => quote);
  return quotes.flatMap((quote) => quote.split("…").map((part) => part.trim())).filter((part) => part.length > 3);
}

const sources = TEXT_FILES.map((file) => readFileSync(join(repository, file), "utf8")).join(" ");
const texts = withPlainCharacters(sources)
  // Join sentences that the sources split into lines, and remove the places of values.
  .replaceAll(/", "/g, " ")
  .replaceAll(/\$\{[^}]*\}/g, "");

/** One quotation may have several sentences, which the sources have as separate texts. */
const sentencesOf = (part: string) => part.split(/(?<=[.!?]) /);

describe("French messages that a page quotes", () => {
  it("every message that a page quotes between « and » is in the French texts of the programs", () => {
    const pages = writtenPages();
    const parts = QUOTING_PAGES.flatMap((page) => quotedParts(pages.get(page) ?? "").map((part) => ({ page, part })));
    expect(parts.length).toBeGreaterThan(35);
    const unknown = parts.filter(({ part }) => !sentencesOf(part).every((sentence) => isShown(sentence)));
    expect(unknown).toEqual([]);
  });

  it("a quoted message that no program shows is detected", () => {
    expect(isShown("Cette commande est déjà payée")).toBe(true);
    expect(isShown("Cette commande est déjà réglée")).toBe(false);
  });
});

function isShown(sentence: string): boolean {
  return texts.includes(sentence.replace(/[.:]$/, ""));
}

it("no line of a French page can begin with a sign that French sets off by a space", async () => {
  const renderer = await createMarkdownRenderer(siteFolder, { ...config.markdown, highlight: (code) => code });
  const text = "**Payer** : qui paie ? « Le client ».";
  const render = (relativePath: string) => renderer.render(text, { path: siteFolder + relativePath, relativePath });
  expect(render("fr/guides/pending.md")).toContain("</strong>\u00a0: qui paie\u00a0? «\u00a0Le client\u00a0».");
  expect(render("guides/pending.md")).toContain("</strong> : qui paie ? « Le client ».");
});
