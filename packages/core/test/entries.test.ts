import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const entries = Object.entries(manifest.exports).map(([entry, target]) => ({
  entry,
  names: namesIn(readFileSync(new URL(`../${target["@tillkit/source"]}`, import.meta.url), "utf8")),
}));

it("the author of an adapter chooses from fewer than 120 names", () => {
  const first = entries.find(({ entry }) => entry === ".");
  expect(first?.names).toContain("StoreAdapter");
  expect(first?.names.length).toBeLessThan(120);
});

it("each name is exported by one entry, so two programs cannot import it from two places", () => {
  const names = entries.flatMap((entry) => entry.names);
  expect(names.length).toBeGreaterThan(250);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

function namesIn(source: string): readonly string[] {
  return [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((name) => name.trim().replace(/^type /, "") || []),
  );
}
