import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { benches } from "./bench/table.ts";

const repository = fileURLToPath(new URL("../", import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

it("a person can read the list of npm scripts at once", () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(24);
});

it("every benchmark that a document names exists", () => {
  for (const { program } of Object.values(benches)) expect(existsSync(join(repository, program))).toBe(true);
  const folders = [".", "docs", "packages/docs/site/guides", "packages/core/decisions"];
  const packages = readdirSync(join(repository, "packages")).map((name) => join("packages", name));
  const files = [...folders, ...packages].flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(repository, folder, name), "utf8")),
  );
  const named = files.flatMap((text) => [...text.matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !Object.hasOwn(benches, name ?? ""))).toEqual([]);
});
