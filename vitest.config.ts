import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

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
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: availableParallelism(),
    reporters: ["default", "./test/closing-line.ts"],
    projects: Object.entries(groups).map(([name, include]) => ({
      extends: true,
      test: { name, include, ...(name === "packages" ? { globalSetup: "test/packages/set-up.ts" } : {}) },
    })),
  },
});
