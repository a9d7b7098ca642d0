import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serverOwner } from "../../../test/postgres/postgres-programs.ts";
import { freePort } from "../../../test/programs/free-port.ts";
import { PATIENCE_MS } from "../../../test/waiting/patience.ts";
import { readScaleFiles } from "./scale-files.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const PASSWORD = "0123456789abcdef";

export const hasPooler = existsSync(PROGRAM);

/** PgBouncer with the settings that `compose.scale.yaml` deploys, in front of the PostgreSQL whose socket is in `folder`. */
export async function startPooler(socketFolder: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-pooler-"));
  const port = await freePort();
  const owner = await serverOwner();
  const deployed = readScaleFiles("woocommerce").text("pgbouncer/pgbouncer.ini");
  const changes = [
    ["host=primary port=5432 dbname=tillkit", `host=${socketFolder} port=5432 dbname=postgres user=postgres`],
    ["listen_addr = 0.0.0.0", "listen_addr = 127.0.0.1"],
    ["listen_port = 6432", `listen_port = ${port}`],
    ["/tmp/users.txt", join(folder, "users.txt")],
  ] as const;
  let settings = deployed;
  for (const [before, after] of changes) {
    if (!settings.includes(before)) throw new Error(`The deployed settings do not contain "${before}".`);
    settings = settings.replace(before, after);
  }
  await writeFile(join(folder, "pgbouncer.ini"), settings);
  await writeFile(join(folder, "users.txt"), `"tillkit" "${PASSWORD}"\n`);
  await chmod(folder, 0o755);
  if (owner) await chown(join(folder, "users.txt"), owner.uid, owner.gid);
  const child = spawn(PROGRAM, ["-q", join(folder, "pgbouncer.ini")], { ...owner, cwd: "/", stdio: "ignore" });
  const exited = once(child, "exit");
  await untilListening(port);
  return {
    url: `postgres://tillkit:${PASSWORD}@127.0.0.1:${port}/tillkit`,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; ) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ])
      .catch(() => false)
      .finally(() => socket.destroy());
    if (isOpen) return;
    await wait(50);
  }
  throw new Error("PgBouncer did not start.");
}
