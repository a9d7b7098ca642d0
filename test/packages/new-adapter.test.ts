import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { repository, runCommand } from "./command.ts";

const program = join(repository, "packages", "create-tillkit", "dist", "create-tillkit.js");

it.each(["express", "fastify", "hono", "node"])(
  "a new adapter on %s passes its type check and its six test files before a line of it is changed",
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

it("a program that exists gets a green checkout by the commands of the quick start, as they are written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-existing-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // What the commands use of a clone beside the program.
  const clone = join(folder, "tillkit");
  await cp(dirname(program), join(clone, "packages/create-tillkit/dist"), { recursive: true });
  await symlink(join(inject("clone"), "release"), join(clone, "release"));
  const existing = join(folder, "shop");
  await mkdir(existing);
  await writeFile(join(existing, "package.json"), JSON.stringify({ name: "shop", scripts: { test: "exit 1" } }));
  const page = await readFile(join(repository, "packages/docs/site/quick-start/own-platform.md"), "utf8");
  const [, commands = ""] = /^### A program that exists\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? [];
  expect(await runCommand("sh", ["-ec", commands], existing)).toMatch(/Test Files.*6 passed/);
  expect(JSON.parse(await readFile(join(existing, "package.json"), "utf8")).scripts.test).toBe("exit 1");
});
