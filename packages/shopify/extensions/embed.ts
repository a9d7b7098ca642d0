// node --import tsx packages/shopify/extensions/embed.ts
//
// Copies the files of the extension into src/commands/extension-files.ts, from which `tillkit shopify init` writes them. The command
// `tillkit` is shipped as one program file without these files beside it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./tillkit-pay-link", import.meta.url));
const target = fileURLToPath(new URL("../src/commands/extension-files.ts", import.meta.url));

/** The content of the module with the files of the extension. */
export function extensionModule(): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
  const lines = names.map((name) => {
    const text = readFileSync(join(folder, name), "utf8").replace(/[\\`]|\$\{/g, "\\$&");
    return `  "${name}": \`${text}\`,`;
  });
  return `// Written by extensions/embed.ts from the files in extensions/tillkit-pay-link: change those, and run it again.

/** The extension for the thank-you page and the order's page, file by file. */
export const EXTENSION_FILES = {
${lines.join("\n")}
} as const;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, extensionModule());
