import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runCommand } from "./command.ts";
import { type PackedPackage, publicPackages, readTarballs } from "./pack.ts";
import { sizeLimits } from "./size-limits.ts";

let folder: string;
let packed: ReadonlyMap<string, PackedPackage>;

beforeAll(async () => {
  const release = join(inject("clone"), "release");
  packed = await readTarballs(release);
  folder = await mkdtemp(join(tmpdir(), "tillkit-sizes-"));
  await runCommand("node", [join(release, "add.mjs"), ...publicPackages()], folder);
  await runCommand("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the size of an entry", () => {
  it("every entry has a limit, except those that only Medusa loads and package.json", () => {
    const entries = [...packed.values()].flatMap(({ manifest }) =>
      Object.entries(manifest.exports ?? {})
        .filter(([, target]) => !isLoadedByMedusa(target) && target !== "./package.json")
        .map(([subpath]) => subpath.replace(".", manifest.name)),
    );
    expect(Object.keys(sizeLimits).sort()).toEqual(entries.sort());
  });

  it.each(Object.entries(sizeLimits))("%s costs at most %d kB", async (entry, limit) => {
    const size = await kilobytesOf(entry);
    expect(size).toBeLessThanOrEqual(limit);
    // A limit far above the size would let the size grow unnoticed.
    expect(size).toBeGreaterThan(limit * 0.7);
  });
});

/** Medusa's server loads the files of a plugin from this folder. A shop configures them by name and does not import them. */
function isLoadedByMedusa(target: unknown): boolean {
  return JSON.stringify(target).includes(".medusa/server");
}

async function kilobytesOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${entry}";`, resolveDir: folder },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "node",
    plugins: [
      {
        name: "libraries-stay-outside",
        setup: ({ onResolve }) => {
          onResolve({ filter: /^[^.]/ }, ({ path }) =>
            /^(@tillkit\/|create-tillkit$)/.test(path) ? undefined : { external: true },
          );
        },
      },
    ],
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).byteLength / 1000;
}
