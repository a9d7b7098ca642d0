import { defineConfig } from "vitest/config";
import workspace from "./vitest.config.ts";

// Not one of the workspace's projects: a run of everything must not begin with downloading WordPress.
export default defineConfig({
  ...workspace,
  // Where the runner loads what is done before all tests: from source too.
  environments: {
    __vitest__: { resolve: { conditions: ["@tillkit/source", "module", "node", "development|production"] } },
  },
  test: {
    name: "wordpress",
    include: ["packages/woocommerce/wordpress-plugin/test/wordpress/**/*.test.ts"],
    globalSetup: ["packages/woocommerce/wordpress-plugin/test/wordpress/set-up.ts"],
    reporters: ["verbose", "./test/closing-line.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
