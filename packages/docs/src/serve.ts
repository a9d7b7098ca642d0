// Serves the site and reloads a page when its file changes. The pages about types are written behind, and only if they are missing.
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { createServer } from "vitepress";
import { repository, siteFolder } from "./folders.ts";
import { step } from "./step.ts";
import { writeGeneratedPages, writeTypePages } from "./write-pages.ts";

/** The files whose pages are written again when the file changes. */
const sources = [
  "HANDBOOK.md",
  "docs/glossary.md",
  "docs/measurements.md",
  "docs/options.md",
  "packages/client/API.md",
];

await step("Pages from this repository's files", writeGeneratedPages);
for (const source of sources) watch(join(repository, source), rewriteSoon());

const server = await createServer(siteFolder, { port: Number(process.env.PORT ?? 5173), host: "127.0.0.1" });
await server.listen();
server.printUrls();
process.stderr.write("\nCtrl-C stops it.\n");
if (!existsSync(join(siteFolder, "api/core/types.md"))) {
  // The other pages can be read meanwhile.
  await step("Pages about types (only the first time, 20 to 60 seconds)", writeTypePages).catch((error: unknown) =>
    process.stderr.write(`${String(error)}\n`),
  );
}

/**
 * Returns a listener that writes the pages 200 ms after its last call. An editor writes a file in several steps, each of which calls
 * the listener.
 */
function rewriteSoon(): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      writeGeneratedPages().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }, 200);
  };
}
