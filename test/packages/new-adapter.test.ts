import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { repository, runCommand } from "./command.ts";

const program = join(repository, "packages", "create-tillkit", "dist", "create-tillkit.js");

it.each(["express", "fastify"])(
  "a new adapter on %s passes its type check and its six test files before a line of it is changed",
  { timeout: 400_000 },
  async (host) => {
    const folder = await mkdtemp(join(tmpdir(), "tillkit-new-adapter-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // The packed packages of a clone of this repository.
    const packages = join(inject("clone"), "release");
    await runCommand("node", [program, "my-shop", "--host", host, "--packages", packages, "--yes"], folder);
    const shop = join(folder, "my-shop");
    await runCommand("npm", ["run", "types"], shop);
    expect(await runCommand("npm", ["test"], shop)).toMatch(/Test Files.*6 passed/);
  },
);
