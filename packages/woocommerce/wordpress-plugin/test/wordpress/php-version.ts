import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";

/**
 * Versions of PHP that run as WebAssembly inside Node, so that none needs to be installed. Their code cannot start processes or
 * open sockets.
 */
export type PhpVersion = "7.4" | "8.1" | "8.3" | "8.4";

type Php = {
  mkdir(path: string): void;
  mount(path: string, handler: (php: Php, files: EmscriptenFiles, path: string) => () => void): Promise<unknown>;
  run(program: { readonly code: string }): Promise<{ readonly text: string; readonly errors: string }>;
  exit(): void;
};

type EmscriptenFiles = {
  readonly filesystems: { readonly NODEFS: unknown };
  mount(filesystem: unknown, options: { readonly root: string }, path: string): void;
  unmount(path: string): void;
};

/**
 * Runs PHP code. The code finds each of the folders under the path that it has on this machine.
 * @returns what the code printed. @throws Error with PHP's own report when the code fails
 */
export async function runPhp(version: PhpVersion, code: string, folders: readonly string[]): Promise<string> {
  const context = inject("wordpress");
  if (context.skipReason !== null) throw new Error(context.skipReason);
  const load = (name: string) => import(pathToFileURL(join(context.phpPackages, name, "index.js")).href);
  const { PHP, loadPHPRuntime } = await load("universal");
  const { getPHPLoaderModule } = await load(`node-${version.replace(".", "-")}`);
  const php: Php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), { processId: process.pid }));
  for (const root of folders) await mountFolder(php, root);
  try {
    const { text, errors } = await php.run({ code: `<?php ${code}` });
    if (errors.trim() !== "") throw new Error(errors);
    return text;
  } finally {
    php.exit();
  }
}

async function mountFolder(php: Php, root: string): Promise<void> {
  php.mkdir(root);
  await php.mount(root, (_, files, path) => {
    files.mount(files.filesystems.NODEFS, { root }, path);
    return () => files.unmount(path);
  });
}
