import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, it } from "vitest";

/** The import cycles that dependency-cruiser finds in the sources of all packages. */
async function importCycles(scope: "module" | "folder"): Promise<readonly string[]> {
  const folders = { name: "folders", scope: "folder", from: { pathNot: "/src$" }, to: { circular: true } } as const;
  // A type does not exist at run time, so only imports of values make a cycle of files.
  const viaOnly = { dependencyTypesNot: ["type-only" as const] };
  const files = { name: "files", from: {}, to: { circular: true, viaOnly } } as const;
  const { output } = await cruise(
    ["packages"],
    {
      ruleSet: { forbidden: [scope === "folder" ? folders : files] },
      validate: true,
      includeOnly: "^packages/[^/]+/src/",
      exclude: "node_modules",
      tsPreCompilationDeps: "specify",
      metrics: scope === "folder",
    },
    { conditionNames: ["@tillkit/source", "import"], extensions: [".ts", ".tsx"] },
  );
  const { summary } = output as ICruiseResult;
  expect(summary.totalCruised).toBeGreaterThan(500);
  return summary.violations.map(({ from, cycle = [] }) => [from, ...cycle.map(({ name }) => name)].join(" → "));
}

it("No file of a package imports itself through other files", { timeout: 120_000 }, async () => {
  expect(await importCycles("module")).toEqual([]);
});

it("No folder of a package imports itself through other folders", { timeout: 120_000 }, async () => {
  expect(await importCycles("folder")).toEqual([]);
});
