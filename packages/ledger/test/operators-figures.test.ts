import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { figuresAgree } from "./figures-agree.ts";
import { pagesUseIndexes } from "./pages-use-indexes.ts";

const folder = mkdtempSync(join(tmpdir(), "tillkit-figures-"));
let fileNumber = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newUrl(): string {
  fileNumber += 1;
  return `sqlite:${join(folder, `${fileNumber}.db`)}`;
}

figuresAgree("on SQLite", newUrl);
pagesUseIndexes("on SQLite", newUrl);
