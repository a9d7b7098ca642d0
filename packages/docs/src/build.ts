// Builds the site into packages/docs/dist.
import { build } from "vitepress";
import { builtFolder, siteFolder } from "./folders.ts";
import { step } from "./step.ts";
import { removeGeneratedFolders, writeGeneratedPages, writeTypePages } from "./write-pages.ts";

try {
  await step("Removing old pages", removeGeneratedFolders);
  await step("Pages from this repository's files", writeGeneratedPages);
  await step("Pages about types (10 to 60 seconds)", writeTypePages);
  await step("The site (30 to 90 seconds)", () => build(siteFolder));
  process.stderr.write(`\nThe site is in ${builtFolder}. Any web server can serve it.\n`);
} catch (error) {
  process.stderr.write(`\nThe site was not built: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
