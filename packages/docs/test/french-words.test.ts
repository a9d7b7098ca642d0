import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/folders.ts";
import { writtenPages } from "./read-site.ts";

/** The French texts that owners and shoppers read. */
const TEXT_FILES = [
  "packages/core/src/timeline/explain-texts.ts",
  "packages/server/src/shopper/page/french.ts",
  "packages/server/src/operators/texts/french.ts",
  "packages/woocommerce/wordpress-plugin/tillkit-checkout/languages/tillkit-checkout-fr_FR.po",
];

/** Pages that quote messages between « and ». Other French pages use these marks for words of the shop's own software too. */
const QUOTING_PAGES = ["fr/errors.md", "fr/guides/pending.md", "fr/guides/refunds.md"];

/** Text without the differences that nobody sees: kinds of spaces and apostrophes, emphasis, line ends. */
function plain(text: string): string {
  return text
    .replaceAll("**", "")
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .replaceAll("’", "'");
}

/** The parts of each quotation, without its dots of omission: `« Le remboursement … a échoué »` has two. */
function quotedParts(page: string): readonly string[] {
  const quotes = [...plain(page).matchAll(/« ([^«»]+) »/g)].map(([, quote = ""]) => quote);
  return quotes.flatMap((quote) => quote.split("…").map((part) => part.trim())).filter((part) => part.length > 3);
}

const texts = plain(TEXT_FILES.map((file) => readFileSync(join(repository, file), "utf8")).join(" "))
  // Sentences that the sources join from lines, and values that they put in.
  .replaceAll(/", "/g, " ")
  .replaceAll(/\$\{[^}]*\}/g, "");

/** The pages show two sentences of one page in one quotation, as the shopper reads them. */
const sentencesOf = (part: string) => part.split(/(?<=[.!?]) /);

describe("French messages that a page quotes", () => {
  it("every message between « and » is one that the programs show", () => {
    const pages = writtenPages();
    const parts = QUOTING_PAGES.flatMap((page) => quotedParts(pages.get(page) ?? "").map((part) => ({ page, part })));
    expect(parts.length).toBeGreaterThan(35);
    const unknown = parts.filter(({ part }) => !sentencesOf(part).every((sentence) => isShown(sentence)));
    expect(unknown).toEqual([]);
  });

  it("a message that no program shows is found", () => {
    expect(isShown("Cette commande est déjà payée")).toBe(true);
    expect(isShown("Cette commande est déjà réglée")).toBe(false);
  });
});

function isShown(sentence: string): boolean {
  return texts.includes(sentence.replace(/[.:]$/, ""));
}
