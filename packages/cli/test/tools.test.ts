import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../src/commands/commands.ts";
import { buildProgram, programFile } from "./build-program.ts";
import { readLine } from "./json-line.ts";
import { runProgram } from "./program.ts";
import { tillkit } from "./tillkit.ts";

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  await buildProgram();
  sandbox = await createSandbox();
  folder = await mkdtemp(join(tmpdir(), "tillkit-tools-"));
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runProgram(args, { env: { XDG_CONFIG_HOME: folder } });

describe("keys", () => {
  it("a profile is stored for its owner only, works without further options, and is refused once others can read it", async () => {
    const stored = await run("config", "init", "--sandbox", sandbox.baseUrl);
    expect(stored.out).toContain('The profile "default" (test, ');
    expect(stored.out + stored.error).not.toContain(sandbox.keys.test.secret);
    const file = join(folder, "tillkit", "profiles.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8")).default.secretKey).toBe(sandbox.keys.test.secret);
    expect((await run("transactions")).out).toBe("There are no such transactions.\n");
    await chmod(file, 0o644);
    const { code, error } = await run("transactions");
    expect([code, error]).toEqual([1, expect.stringContaining(`run chmod 600 ${file}`)]);
    await chmod(file, 0o600);
  });

  it("a key is read from standard input, and a wrong key is refused before it is stored", async () => {
    const args = ["config", "init", "--service", sandbox.baseUrl, "--name", "piped"];
    const env = { XDG_CONFIG_HOME: folder };
    const wrong = await runProgram(args, { env, input: "svc_sk_test_00000000000000000000000000000000\n" });
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringMatching(/^Invalid API key: check SERVICE_SECRET_KEY/)]);
    const right = await runProgram(args, { env, input: `${sandbox.keys.test.secret}\n` });
    expect(right.code).toBe(0);
    expect((await run("transactions", "--profile", "piped")).code).toBe(0);
  });

  it("a key among the arguments is refused and not repeated", async () => {
    const { code, error } = await run("transactions", "--service", sandbox.keys.live.secret);
    expect(code).toBe(2);
    expect(error).toContain("must not be an argument");
    expect(error).not.toContain(sandbox.keys.live.secret);
  });

  it("the password of a database among the arguments gets a warning that does not repeat it", async () => {
    const { code, error } = await run("jobs", "--ledger", "postgres://shop:hunter22@127.0.0.1:9/shop");
    expect(code).toBe(1);
    expect(error).toContain("set DATABASE_URL instead of --ledger");
    expect(error).not.toContain("hunter22");
    expect((await run("jobs", "--ledger", "postgres://shop@127.0.0.1:9/shop")).error).not.toContain("password of the");
  });

  it("the key of one profile is never sent to the address of another", async () => {
    const { code, error } = await run("transactions", "--service", "http://127.0.0.1:9");
    expect([code, error]).toEqual([2, expect.stringContaining("environment variable SERVICE_SECRET_KEY")]);
  });
});

describe("tillkit clock and tillkit chaos", () => {
  it("the sandbox's clock is moved forward", async () => {
    const before = Date.parse(JSON.parse((await run("clock", "--json")).out).now);
    const after = Date.parse(JSON.parse((await run("clock", "2h", "--json")).out).now);
    expect(after - before).toBeGreaterThanOrEqual(7_200_000);
    expect((await run("clock", "soon")).error).toContain("A duration must look like 90s, 15m, 2h or 7d");
  });

  it("chaos with a seed adds the same faults each time, and ends on demand", async () => {
    const faultsOf = async (seed: string) => {
      expect((await run("chaos", "--seed", seed)).code).toBe(0);
      return sandbox.control.listFaults().map((fault) => [fault.path, fault.seed, fault.share]);
    };
    const first = await faultsOf("42");
    expect(first).toHaveLength(8);
    expect(await faultsOf("43")).not.toEqual(first);
    expect(await faultsOf("42")).toEqual(first);
    expect(sandbox.control.readSettings().delivery).toMatchObject({ duplicate: 1, reorder: true, dropFirst: 1 });
    expect(readLine("chaos", (await run("chaos", "--off", "--json")).out)).toEqual({ chaos: false });
    expect(sandbox.control.listFaults()).toEqual([]);
    expect(sandbox.control.readSettings().delivery).toMatchObject({ duplicate: 0, reorder: false, dropFirst: 0 });
  });

  it("commands for a sandbox refuse to touch the service itself", async () => {
    const { code, error } = await run("clock", "1h", "--service", "https://api.service.example");
    expect([code, error]).toEqual([1, expect.stringContaining("not the service itself")]);
  });
});

describe("tillkit trigger", () => {
  const payments = ["PAYMENT_CREATED", "PAYMENT_FAILED", "REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED"];
  const disputes = ["DISPUTE_CREATED", "DISPUTE_UPDATED", "DISPUTE_CLOSED"];
  const subscriptions = ["SUBSCRIPTION_UPDATED", "SUBSCRIPTION_RENEWED", "SUBSCRIPTION_CANCELLED"];
  it.each([...payments, ...disputes, ...subscriptions])(
    "tillkit trigger %s makes the sandbox send this event last",
    async (event) => {
      expect((await run("trigger", event)).code).toBe(0);
      const [newest] = await sandbox.control.listEvents();
      expect(newest?.event).toBe(event);
      expect(sandbox.control.readSettings().refunds).toBe("instant");
    },
  );
});

describe("colours", () => {
  const script = "/usr/bin/script"; // runs a command in a terminal of its own
  const hasTerminal = existsSync(script);
  it.skipIf(!hasTerminal)(
    `a terminal gets colours, unless NO_COLOR turns them off${hasTerminal ? "" : " (skipped: no program script here)"}`,
    () => {
      const command = `'${process.execPath}' '${programFile}' doctor --server http://127.0.0.1:9`;
      const onTerminal = (env: Readonly<Record<string, string>>) =>
        spawnSync(script, ["-qec", command, "/dev/null"], { encoding: "utf8", env: { ...process.env, ...env } }).stdout;
      expect(onTerminal({ NO_COLOR: "" })).toContain("\u001b[31m✗\u001b[0m health");
      expect(onTerminal({ NO_COLOR: "1" })).toContain("✗ health");
      expect(onTerminal({ NO_COLOR: "1" })).not.toContain("\u001b[");
    },
  );
});

describe("help and completion", () => {
  it.each(commands.map(({ name }) => name))(
    "tillkit %s --help has a summary, its options and one example",
    async (name) => {
      const { code, out } = await tillkit(...name.split(" "), "--help");
      expect(code).toBe(0);
      expect(out.match(/^Example: /gm)).toHaveLength(1);
      expect(out).toMatch(/^Usage: tillkit /);
    },
  );

  it("a noun alone lists its commands", async () => {
    const { code, out } = await run("session");
    expect(code).toBe(0);
    for (const verb of ["create", "pay", "fail", "expire", "watch"]) expect(out).toContain(`session ${verb}`);
  });

  const typed: readonly [words: readonly string[], offered: readonly string[]][] = [
    [
      ["refunds", ""],
      ["create", "list"],
    ],
    [["webhooks", "r"], ["rotate"]],
    [["webh"], ["webhooks"]],
    [["refunds", "create", "--am"], ["--amount"]],
    [["refunds", "create", "txn_1", "--idem"], ["--idempotency-key"]],
    [["transactions", "--st"], ["--status"]],
    [["transactions", "txn_1", "--prof"], ["--profile"]],
    [["session", "create", "--full"], []],
  ];
  it("bash offers the commands of a noun and the options of a command, as the typed words allow", async () => {
    const script = join(folder, "completion.sh");
    await writeFile(script, (await run("completion", "bash")).out);
    for (const [words, offered] of typed) {
      const program = `source "$0"; COMP_WORDS=(tillkit "$@"); COMP_CWORD=$#; _tillkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = spawnSync("bash", ["-c", program, script, ...words], { encoding: "utf8" });
      expect([words, stdout.trim().split("\n").filter(Boolean)]).toEqual([words, offered]);
    }
  });

  it("zsh and fish have scripts of their own, and another shell is refused", async () => {
    expect((await run("completion", "zsh")).out).toContain("bashcompinit");
    expect((await run("completion", "fish")).out).toContain("complete -c tillkit");
    expect((await run("completion", "tcsh")).code).toBe(2);
  });
});
