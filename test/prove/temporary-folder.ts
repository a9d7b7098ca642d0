import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder that is removed afterwards, also when this process is stopped early. */
export type Folder = { readonly path: string; remove(): Promise<void> };

export async function makeFolder(name: string): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), `tillkit-${name}-`));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.on("exit", removeNow);
  return {
    path,
    async remove() {
      process.off("exit", removeNow);
      await rm(path, { recursive: true, force: true });
    },
  };
}
