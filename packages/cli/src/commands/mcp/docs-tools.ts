import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { z } from "zod";
import { type Tool, tool } from "./tool.ts";

const MAX_FOUND = 12;
const MAX_DOCUMENT_BYTES = 15_000;

/** The tools that read our documentation, as this package carries it. @param folder null: it was not made, as in a clone of the repository */
export function docsTools(folder: string | null): readonly Tool[] {
  return [
    tool({
      name: "search_docs",
      description:
        "Search the documentation of Tillkit, such as an error code, a finding, an option or an idea. Best parts first.",
      input: z.object({ words: z.string().min(2).max(200) }),
      effect: "looks",
      async run({ words }) {
        const pages = await readPages(folder);
        const parts = [...pages].flatMap(([page, text]) => partsOf(page, text));
        return { rows: rank(parts, words).slice(0, MAX_FOUND) };
      },
    }),
    tool({
      name: "read_doc",
      description:
        "Read a page of the documentation of Tillkit from a line on. index.md lists all pages with their parts.",
      input: z.object({
        page: z
          .string()
          .max(100)
          .regex(/^[a-z0-9-]+(?:\/[a-z0-9-]+){0,2}\.md$/, "is no page: see index.md")
          .default("index.md"),
        line: z.int().min(1).max(100_000).default(1),
      }),
      effect: "looks",
      async run({ page, line }) {
        const text = (await readPages(folder)).get(page);
        if (text === undefined) throw new Error(`There is no page ${page}: index.md lists all pages.`);
        const lines = text.split("\n");
        const chosen: string[] = [];
        let bytes = 0;
        for (const one of lines.slice(line - 1)) {
          bytes += Buffer.byteLength(JSON.stringify(one));
          if (bytes > MAX_DOCUMENT_BYTES) break;
          chosen.push(one);
        }
        const next = line + chosen.length;
        const facts = { page, line, lines: lines.length, next: next > lines.length ? null : next };
        return { facts, document: chosen.join("\n") };
      },
    }),
  ];
}

async function readPages(folder: string | null): Promise<ReadonlyMap<string, string>> {
  if (folder === null)
    throw new Error(
      "This copy of tillkit has no documentation: in a clone of the repository, npm run build -- cli makes it.",
    );
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".md"));
  const pages = names.map(
    async (name) => [name.replaceAll(sep, "/"), await readFile(join(folder, name), "utf8")] as const,
  );
  return new Map(await Promise.all(pages));
}

type Part = { readonly page: string; readonly line: number; readonly heading: string; readonly text: string };

/** A page in parts, one for each heading. The index has no text of its own. */
function partsOf(page: string, text: string): readonly Part[] {
  if (page === "index.md") return [];
  const parts: Part[] = [];
  let [line, heading, lines]: [number, string, string[]] = [1, page, []];
  const end = () => parts.push({ page, line, heading, text: lines.join("\n") });
  for (const [index, one] of text.split("\n").entries()) {
    const title = /^#{1,3} (.+)$/.exec(one)?.[1];
    if (title === undefined) lines.push(one);
    else {
      if (index > 0) end();
      [line, heading, lines] = [index + 1, title, []];
    }
  }
  end();
  return parts;
}

/** Parts that contain the most of the words come first; a word in a heading counts more than in the text, a rare word more than a common one. */
function rank(parts: readonly Part[], question: string): readonly object[] {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [])];
  const texts = parts.map((part) => ({ part, heading: part.heading.toLowerCase(), text: part.text.toLowerCase() }));
  const weights = words.map((word) => {
    const count = texts.filter(({ text, heading }) => text.includes(word) || heading.includes(word)).length;
    return Math.log(1 + parts.length / (1 + count));
  });
  const scored = texts.map(({ part, heading, text }) => ({
    part,
    score: words.reduce((sum, word, index) => {
      const times = (heading.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0);
      return sum + times * (weights[index] ?? 0);
    }, 0),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ part: { page, line, heading, text } }) => ({ page, line, heading, excerpt: excerptOf(text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...found, text.length) - 80);
  return text
    .slice(from, from + 300)
    .replace(/\s+/g, " ")
    .trim();
}
