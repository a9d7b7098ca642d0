import { defineConfig } from "vitest/config";

const source = ["@tillkit/source"];

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
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
