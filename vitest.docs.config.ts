import { defineConfig } from "vitest/config";
import workspace from "./vitest.config.ts";

// Not one of the workspace's projects: building the site and compiling every sample takes a minute, and no other test needs it.
export default defineConfig({
  ...workspace,
  test: {
    name: "docs",
    include: ["packages/docs/test/built/*.check.ts"],
    globalSetup: ["packages/docs/test/built/build-site.ts"],
    reporters: ["verbose", "./test/closing-line.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
