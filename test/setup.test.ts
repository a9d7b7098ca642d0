import { type ChildProcess, spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

type Ending = { readonly code: number | null; readonly out: string; readonly error: string };

const setup = fileURLToPath(new URL("../.setup", import.meta.url));

let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), "tillkit-setup-"));
  await cp(setup, join(clone, ".setup"), { recursive: true });
  await writeFile(join(clone, "pnpm-lock.yaml"), "lockfileVersion: 1\n");
  await mkdir(join(clone, "bin"));
  // Replaces npx: records each call and installs one tool, `hello`.
  await writeScript("bin/npx", [
    'echo "$*" >> installs.log',
    "echo noise of the installer",
    "sleep 0.2",
    "mkdir -p node_modules/.bin",
    "printf '#!/bin/sh\\necho hello \"$@\"\\nexit 7\\n' > node_modules/.bin/hello",
    "chmod +x node_modules/.bin/hello",
  ]);
});

afterEach(() => rm(clone, { recursive: true, force: true }));

describe("a command of a fresh clone", () => {
  it("the first command installs what it needs and runs, and only the program writes to standard output", async () => {
    const ending = await run("programs", "hello", "--port", "4010");
    expect(ending).toMatchObject({ code: 7, out: "hello --port 4010\n" });
    expect(ending.error).toContain("Installing dependencies");
    expect(await installs()).toHaveLength(1);
    expect((await installs())[0]).toContain("install --frozen-lockfile --prod --filter @tillkit/example-shop...");
  });

  it("the second command installs nothing", async () => {
    await run("programs", "hello");
    expect(await run("programs", "hello")).toEqual({ code: 7, out: "hello\n", error: "" });
    expect(await installs()).toHaveLength(1);
  });

  it("a command with further dependencies installs them, and the first command installs nothing after that", async () => {
    await run("programs", "hello");
    await run("everything", "hello");
    await run("programs", "hello");
    expect(await installs()).toHaveLength(2);
  });

  it("a command removes nothing from a complete installation", async () => {
    await mkdir(join(clone, "node_modules"));
    await writeFile(join(clone, "node_modules", ".modules.yaml"), '{ "included": { "devDependencies": true } }');
    await run("programs", "hello");
    expect((await installs())[0]).toMatch(/install --frozen-lockfile$/);
  });

  it("a command installs again when the lockfile changed", async () => {
    await run("programs", "hello");
    await writeFile(join(clone, "pnpm-lock.yaml"), "lockfileVersion: 2\n");
    await run("programs", "hello");
    expect(await installs()).toHaveLength(2);
  });

  it("two commands that start at the same time install once", async () => {
    const endings = await Promise.all([run("programs", "hello", "a"), run("programs", "hello", "b")]);
    expect(endings.map((ending) => ending.out)).toEqual(["hello a\n", "hello b\n"]);
    expect(await installs()).toHaveLength(1);
  });

  it("a command ignores the lock of a killed command", async () => {
    await mkdir(join(clone, ".tillkit"));
    await writeFile(join(clone, ".tillkit", "install.lock"), "999999999");
    expect(await run("programs", "hello")).toMatchObject({ code: 7 });
  });

  it("a failed installation prints the installer's output and what to do, and the next command tries again", async () => {
    await writeScript("bin/npx", ["echo disk is full >&2", "exit 3"]);
    const { code, out, error } = await run("programs", "hello");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toContain("disk is full");
    expect(error).toMatch(/Check that this machine reaches the npm registry .* run the same command again\.\n$/);
    await writeScript("bin/npx", ["exit 0"]);
    const anyProgram = "true";
    expect((await run("programs", anyProgram)).error).toContain("Dependencies installed");
  });
});

describe("a program that runs", () => {
  beforeEach(async () => {
    await run("everything", "hello");
    await writeScript("node_modules/.bin/shop", [
      "trap 'echo asked to stop' TERM",
      "trap 'echo stopped; exit 0' EXIT",
      "echo $$ open",
      "while sleep 0.05; do [ -e closed ] && exit 0; done",
    ]);
  });

  it("a running program receives a signal once, and its parent waits for it", async () => {
    const shop = start("everything", "shop");
    await shop.waitForOutput("open");
    shop.child.kill("SIGTERM");
    await shop.waitForOutput("asked to stop");
    await writeFile(join(clone, "closed"), "");
    const { code, out } = await shop.ending;
    expect(code).toBe(0);
    expect(out.match(/asked to stop/g)).toHaveLength(1);
    expect(out).toMatch(/stopped\n$/);
  });

  it("a running program is stopped when npm was killed", async () => {
    const npm = spawn("sh", ["-c", "node .setup/run.mjs everything shop & wait"], options());
    const out = collect(npm);
    await out.waitForOutput("open");
    npm.kill("SIGKILL");
    await out.waitForOutput("asked to stop");
    await writeFile(join(clone, "closed"), "");
    await out.waitForOutput("stopped");
  });
});

function options(): { cwd: string; env: NodeJS.ProcessEnv } {
  return { cwd: clone, env: { ...process.env, PATH: `${join(clone, "bin")}:${process.env.PATH}` } };
}

function start(...args: readonly string[]): ReturnType<typeof collect> & { child: ChildProcess } {
  const child = spawn(process.execPath, [".setup/run.mjs", ...args], options());
  return { child, ...collect(child) };
}

async function run(...args: readonly string[]): Promise<Ending> {
  return start(...args).ending;
}

function collect(child: ChildProcess): { waitForOutput(word: string): Promise<void>; ending: Promise<Ending> } {
  let out = "";
  let error = "";
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    error += chunk;
  });
  const ending = new Promise<Ending>((resolve) => child.on("close", (code) => resolve({ code, out, error })));
  const waitForOutput = async (word: string): Promise<void> => {
    for (let waited = 0; !out.includes(word); waited += 20) {
      if (waited > 30_000) throw new Error(`The command never printed "${word}", only: ${out}${error}`);
      await sleep(20);
    }
  };
  return { waitForOutput, ending };
}

async function installs(): Promise<readonly string[]> {
  return (await readFile(join(clone, "installs.log"), "utf8")).trim().split("\n");
}

async function writeScript(path: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(clone, path), ["#!/bin/sh", ...lines, ""].join("\n"));
  await chmod(join(clone, path), 0o755);
}
