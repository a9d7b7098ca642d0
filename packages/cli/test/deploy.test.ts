import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildProgram, programFile } from "./build-program.ts";

beforeAll(() => buildProgram());

describe.each(["woocommerce", "shopify"])("the deployment files of %s", (platform) => {
  const directory = fileURLToPath(new URL(`../../${platform}/deploy/`, import.meta.url));
  const configFile = `/etc/tillkit/${platform}.json`;
  const unitName = `tillkit-${platform}.service`;

  const file = (name: string) => readFileSync(join(directory, name), "utf8");
  const unit = file(unitName);
  const image = file("Dockerfile");
  const compose = file("compose.yaml");
  const deployedConfig = JSON.parse(file(`${platform}.json`)) as { listen: { port: number; host: unknown } };

  /** The commands that the unit and the image start: the program and its arguments. */
  const unitCommand = /^ExecStart=(.+)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const imageCommand: readonly string[] = JSON.parse(/^CMD (\[.+\])$/m.exec(image)?.[1] ?? "[]");

  it("the systemd unit and the image start the program that the package installs", () => {
    const { bin } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const installed = join("node_modules/@tillkit/cli", bin.tillkit);
    expect(unitCommand.slice(0, 2)).toEqual(["/usr/bin/node", join("/opt/tillkit", installed)]);
    expect(imageCommand.slice(0, 2)).toEqual(["node", installed]);
    expect(unit).toContain("WorkingDirectory=/opt/tillkit\n");
    // The program finds the platform beside it, as a package of its own.
    for (const installation of [unit, image]) expect(installation).toContain(` @tillkit/cli @tillkit/${platform}`);
    expect(image).toContain("WORKDIR /opt/tillkit\n");
  });

  it("the unit, the image and the compose file agree on the configuration file, the port and the ledger's folder", () => {
    const { port } = deployedConfig.listen;
    expect(compose).toContain(`- ./${platform}.json:${configFile}:ro\n`);
    expect(compose).toContain(`- "127.0.0.1:${port}:${port}"\n`);
    expect(image).toContain(`EXPOSE ${port}\n`);
    expect(image).toContain(`fetch('http://127.0.0.1:${port}/readyz')`);
    expect(compose).toContain("- data:/data\n");
    expect(image).toContain("VOLUME /data\n");
    expect(settingsOf(image).TILLKIT_DATABASE).toBe("sqlite:/data/ledger.db");
    expect(settingsOf(unit).TILLKIT_DATABASE).toBe("sqlite:/var/lib/tillkit/ledger.db");
    expect(unit).toContain("StateDirectory=tillkit\n");
  });

  it("the unit and the compose file give the server 30 seconds to stop", () => {
    expect(unit).toContain("TimeoutStopSec=30\n");
    expect(compose).toContain("stop_grace_period: 30s\n");
  });

  it.each([
    ["the unit", unitCommand, unit],
    ["the image", imageCommand, image],
  ])("%s starts a server that becomes ready and stops on request", async (_, command, settings) => {
    expect(command.slice(2)).toEqual(expect.arrayContaining([platform, "serve", "--config", configFile]));
    const folder = await mkdtemp(join(tmpdir(), "tillkit-deploy-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const config = join(folder, `${platform}.json`);
    // Port 0 avoids a conflict with a program that listens on the port of the file.
    await writeFile(config, JSON.stringify({ ...deployedConfig, listen: { ...deployedConfig.listen, port: 0 } }));
    const environment = {
      ...fillInSecrets(file("secrets.env.example")),
      ...settingsOf(settings),
      TILLKIT_DATABASE: `sqlite:${join(folder, "ledger.db")}`,
    };
    const args = command.slice(2).map((word) => (word === configFile ? config : word));
    const { line, stop } = await startServer(args.includes("--json") ? args : [...args, "--json"], environment);
    const { baseUrl } = JSON.parse(line) as { baseUrl: string };
    expect(new URL(baseUrl).hostname).toBe(settingsOf(settings).TILLKIT_HOST);
    const localUrl = baseUrl.replace("0.0.0.0", "127.0.0.1");
    expect((await fetch(`${localUrl}/readyz`)).status).toBe(200);
    expect(await stop()).toBe(0);
  });

  const hasSystemd = existsSync("/usr/bin/systemd-analyze");
  it.skipIf(!hasSystemd)(
    `systemd knows every key of the unit${hasSystemd ? "" : " (skipped: no systemd here)"}`,
    () => {
      const { stderr } = spawnSync("systemd-analyze", ["verify", join(directory, unitName)]);
      const complaints = new RegExp(`tillkit-${platform}\\.service:\\d+.*`, "g");
      expect(stderr.toString().match(complaints) ?? []).toEqual([]);
    },
  );
});

describe("the deployment files of the guard", () => {
  const file = (name: string) => readFileSync(new URL(`../../audit/deploy/${name}`, import.meta.url), "utf8");
  const unit = file("tillkit-guard.service");
  const image = file("Dockerfile");
  const unitCommand = /^ExecStart=(.+)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const imageCommand: readonly string[] = JSON.parse(/^CMD (\[.+\])$/m.exec(image)?.[1] ?? "[]");

  it.each([
    ["the unit", unitCommand, unit],
    ["the image", imageCommand, image],
  ])(
    "%s starts a guard that serves its health and asks for its token, and stops on request",
    async (_, command, settings) => {
      const folder = await mkdtemp(join(tmpdir(), "tillkit-deploy-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const config = join(folder, "guard.json");
      const deployed = JSON.parse(file("guard.json"));
      // Nothing answers at these addresses: a guard stands by although both sides are away.
      const service = { ...deployed.service, url: "http://127.0.0.1:9" };
      const shops = [{ ...deployed.shops[0], url: "http://127.0.0.1:9" }];
      await writeFile(config, JSON.stringify({ ...deployed, service, shops, listen: { ...deployed.listen, port: 0 } }));
      const environment = {
        ...fillInSecrets(file("guard.env.example")),
        ...settingsOf(settings),
        TILLKIT_STORE: `sqlite:${join(folder, "guard.db")}`,
      };
      const args = command.slice(2).map((word) => (word === "/etc/tillkit/guard.json" ? config : word));
      const { line, stop } = await startServer(args.includes("--json") ? args : [...args, "--json"], environment);
      const { baseUrl, shops: names } = JSON.parse(line) as { baseUrl: string; shops: readonly string[] };
      expect(names).toEqual(["Chez Awa"]);
      expect(new URL(baseUrl).hostname).toBe(settingsOf(settings).TILLKIT_HOST);
      const localUrl = baseUrl.replace("0.0.0.0", "127.0.0.1");
      expect((await fetch(`${localUrl}/healthz`)).status).toBe(200);
      expect((await fetch(localUrl)).status).toBe(401);
      expect(await stop()).toBe(0);
    },
  );
});

/** `Environment=NAME=value` of a unit, `ENV NAME=value …` of an image. */
function settingsOf(text: string): Readonly<Record<string, string>> {
  const lines = [...text.matchAll(/^(?:Environment=|ENV )(.+)$/gm)].map(([, settings = ""]) => settings);
  return Object.fromEntries(lines.flatMap((line) => line.split(" ")).map((setting) => splitOnce(setting)));
}

/** Fills in the secrets of the example file, which contains at most the beginning of each, such as `svc_sk_test_`. */
function fillInSecrets(example: string): Readonly<Record<string, string>> {
  const settings = example.split("\n").filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    settings.map(splitOnce).map(([name, start]) => [name, `${start}${"0123456789".repeat(4)}`]),
  );
}

function splitOnce(setting: string): readonly [string, string] {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}

async function startServer(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [programFile, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    // The environment of this process is not passed on, because it could hide a name that is missing in the example.
    env: { PATH: process.env.PATH ?? "", ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      line,
      async stop() {
        child.kill("SIGTERM");
        return await ended;
      },
    };
  }
  throw new Error("The server ended without output.");
}
