import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tillkit } from "./tillkit.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-new-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("tillkit new adapter writes a shop and says what comes next", async () => {
  const shop = join(folder, "my-shop");
  const { code, out } = await tillkit("new", "adapter", shop, "--host", "node", "--no-install");
  expect([code, out]).toEqual([0, expect.stringContaining("npm install")]);
  expect(await readdir(join(shop, "src"))).toContain("host.ts");
});

it("tillkit new adapter without a folder says which folder to name", async () => {
  const { code, error } = await tillkit("new", "adapter", "--yes");
  expect([code, error]).toEqual([2, expect.stringContaining("tillkit new adapter my-shop")]);
});

it("tillkit new adapter leaves a folder with files as it is", async () => {
  const shop = join(folder, "my-shop");
  await tillkit("new", "adapter", shop, "--no-install");
  const { code, error } = await tillkit("new", "adapter", shop, "--no-install");
  expect([code, error]).toEqual([1, expect.stringContaining("is not empty")]);
});
