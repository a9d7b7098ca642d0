import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./test/waiting/patience.ts";

const source = ["@tillkit/source"];

/** Groups of tests, so that the daily run can leave the slow ones out: `--project unit`. */
const groups = {
  unit: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/*.test.ts"],
  journeys: ["test/journeys/**/*.test.ts"],
  scenarios: ["test/scenarios/**/*.test.ts"],
  browser: ["test/browser/**/*.test.ts"],
  "black-box": ["test/black-box/**/*.test.ts"],
  "two-sided": ["test/two-sided/**/*.test.ts"],
  prove: ["test/prove/**/*.test.ts"],
  packages: ["test/packages/**/*.test.ts"],
};

/** What the tests of a group share. */
const setUps: Readonly<Record<string, string>> = {
  unit: "packages/cli/test/set-up.ts",
  packages: "test/packages/set-up.ts",
};

// Sources are run as they are: the export condition `@tillkit/source` stands before "import".
export default defineConfig({
  resolve: { conditions: [...source, "module", "node", "development|production"] },
  ssr: {
    resolve: {
      conditions: [...source, "module", "node", "development|production"],
      externalConditions: [...source, "node", "module-sync"],
    },
  },
  test: {
    // No test proves speed. These limits only end what would hang: a busy machine may give a test a tenth of a core.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
    // Many tests wait for a process or the network, so two workers more than cores finish earlier.
    maxWorkers: availableParallelism() + 2,
    reporters: ["default", "./test/closing-line.ts"],
    projects: Object.entries(groups).map(([name, include]) => ({
      extends: true,
      test: {
        name,
        include,
        globalSetup: setUps[name] ?? [],
        // Files share a worker's modules, which are loaded once: half of the processor time of a run was loading them.
        isolate: false,
      },
    })),
  },
});
