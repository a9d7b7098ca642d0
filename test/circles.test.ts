import { cruise, type ICruiseResult } from "dependency-cruiser";
import { beforeAll, expect, it } from "vitest";

const CYCLES_OF_FOLDERS = {
  name: "folders",
  scope: "folder",
  from: { pathNot: "/src$" },
  to: { circular: true },
} as const;
// A type does not exist at run time, so only imports of values make a cycle of files.
const viaOnly = { dependencyTypesNot: ["type-only" as const] };
const CYCLES_OF_FILES = { name: "files", from: {}, to: { circular: true, viaOnly } } as const;

/** The import cycles that dependency-cruiser finds in the sources of all packages, by the name of their rule. */
async function importCycles(): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> {
  const { output } = await cruise(
    ["packages"],
    {
      ruleSet: { forbidden: [CYCLES_OF_FOLDERS, CYCLES_OF_FILES] },
      validate: true,
      includeOnly: "^packages/[^/]+/src/",
      exclude: "node_modules",
      tsPreCompilationDeps: "specify",
      metrics: true,
    },
    { conditionNames: ["@tillkit/source", "import"], extensions: [".ts", ".tsx"] },
  );
  const { summary } = output as ICruiseResult;
  expect(summary.totalCruised).toBeGreaterThan(500);
  const cyclesOf = (rule: string) =>
    summary.violations
      .filter((violation) => violation.rule.name === rule)
      .map(({ from, cycle = [] }) => [from, ...cycle.map(({ name }) => name)].join(" → "));
  return { files: cyclesOf(CYCLES_OF_FILES.name), folders: cyclesOf(CYCLES_OF_FOLDERS.name) };
}

let cycles: Awaited<ReturnType<typeof importCycles>>;
// Reading all packages takes long on a busy machine, so both tests share one reading.
beforeAll(async () => {
  cycles = await importCycles();
});

it("no file of a package imports itself through other files", () => {
  expect(cycles.files).toEqual([]);
});

it("no folder of a package imports itself through other folders", () => {
  expect(cycles.folders).toEqual([]);
});
