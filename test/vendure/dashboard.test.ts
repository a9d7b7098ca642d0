import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, inject, it } from "vitest";

// Vendure's dashboard reads the built files of installed packages for this call and takes the path and the name of the class from it.
const FOUND_BY_DASHBOARD =
  /^__decorate\(\s*\[\s*VendurePlugin\(\{[\s\S]*?dashboard: "([^"]+)"[\s\S]*?\],\s*(\w+)\s*\);/m;

it("Vendure's dashboard finds the plugin's extension in the installed package", async () => {
  const built = join(inject("vendureStore").folder, "node_modules", "@tillkit", "vendure", "dist", "index.js");
  const text = await readFile(built, "utf8");
  const [, path = "", className] = FOUND_BY_DASHBOARD.exec(text) ?? [];
  expect(existsSync(join(dirname(built), path))).toBe(true);
  expect(className).toBe("TillkitPlugin");
  // The dashboard compares the class's name at runtime with the name in the file.
  expect(text).toContain("var TillkitPlugin = class {");
});
