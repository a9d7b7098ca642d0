import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { extensionModule } from "../../extensions/embed.ts";
import { bundleExtension } from "./bundle-extension.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Shopify refuses a larger compiled extension. */
const MOST_BYTES = 64 * 1024;

test("each page of the extension stays far below the size that Shopify accepts", () => {
  const bundle = bundleExtension();
  try {
    for (const name of ["thank-you", "order-status"] as const)
      expect(bundle.bytesOf(name)).toBeLessThan(MOST_BYTES / 2);
  } finally {
    bundle.remove();
  }
});

test("the extension uses only what Shopify's types offer on its two pages", () => {
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(ROOT, "extensions/tillkit-pay-link/tsconfig.json")], {
    stdio: "pipe",
  });
});

test("init writes the extension as it is in its folder (else run: node --import tsx packages/shopify/extensions/embed.ts)", () => {
  expect(readFileSync(join(ROOT, "src/commands/extension-files.ts"), "utf8")).toBe(extensionModule());
});
