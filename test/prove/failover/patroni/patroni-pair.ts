import { spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabaseAddress } from "../../../postgres/database-address.ts";
import { freePort } from "../../../programs/free-port.ts";
import { makeFolder } from "../../temporary-folder.ts";
import type { Pair } from "../pair.ts";
import { endProcesses } from "../server-machine.ts";
import { createPatroniMachine, type PatroniMachine } from "./patroni-machine.ts";

const POLL_MS = 200;
/** Patroni chooses the synchronous standby some seconds after it started. */
const READY_WITHIN_MS = 90_000;

export type PatroniPair = Pair & { readonly primary: PatroniMachine; readonly standby: PatroniMachine };

/**
 * Two servers under Patroni, with a synchronous standby. `takeOver` only waits until Patroni has promoted the standby. The address
 * follows the leader, as a proxy that asks Patroni does.
 */
export async function openPatroniPair(): Promise<PatroniPair> {
  const folder = await makeFolder("patroni");
  // The servers run as another user than root.
  await chmod(folder.path, 0o755);
  const etcd = await startEtcd(join(folder.path, "etcd"));
  const [primary, standby] = await Promise.all(
    ["first", "second"].map(async (name) => {
      const ports = { etcd: etcd.port, server: await freePort(), rest: await freePort() };
      return await createPatroniMachine(name, join(folder.path, name), ports);
    }),
  );
  if (!primary || !standby) throw new Error("A pair has two machines.");
  await primary.start();
  await until("the first server leads", () => primary.leads());
  await standby.start();
  const standbyState = "select sync_state from pg_stat_replication";
  await until("the standby is synchronous", async () => (await primary.query(standbyState)) === "sync");

  const address = await openDatabaseAddress(primary.socketPath);
  const follower = followLeader([primary, standby], (leader) => address.turnTo(leader.socketPath));
  return {
    primary,
    standby,
    url: address.url,
    takeOver: () => until("Patroni promotes the standby", async () => follower.leader() === standby),
    async close() {
      await follower.stop();
      await address.close();
      await Promise.all([primary.destroy(), standby.destroy()]);
      await etcd.stop();
      await folder.remove();
    },
  };
}

/** Asks both machines repeatedly whether they lead. While both say that they lead, the address stays at the earlier leader. */
function followLeader(machines: readonly PatroniMachine[], turnTo: (leader: PatroniMachine) => void) {
  let leader = machines[0];
  let stopped = false;
  const follow = async () => {
    while (!stopped) {
      const answers = await Promise.all(machines.map((machine) => machine.leads()));
      const leaders = machines.filter((_, index) => answers[index]);
      if (leaders[0] && !leaders.includes(leader as PatroniMachine)) {
        leader = leaders[0];
        turnTo(leader);
      }
      await sleep(POLL_MS);
    }
  };
  const following = follow();
  return {
    leader: () => leader,
    async stop() {
      stopped = true;
      await following;
    },
  };
}

/**
 * Starts etcd with its second API. Over the third API, Patroni 3.0 let a leader that had been silent take the lead back, and writes
 * were lost.
 */
async function startEtcd(folder: string): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const flags = [
    ...["--data-dir", folder, "--enable-v2=true", "--unsafe-no-fsync", "--log-level", "error"],
    ...["--listen-client-urls", clients, "--advertise-client-urls", clients],
    ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", `default=${peers}`],
  ];
  const etcd = spawn("etcd", flags, { stdio: "ignore" });
  await until("etcd answers", async () => (await fetch(`${clients}/health`).catch(() => null))?.ok === true);
  return { port, stop: () => endProcesses(etcd.pid ? [etcd.pid] : []) };
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + READY_WITHIN_MS; !(await isTrue().catch(() => false)); await sleep(POLL_MS))
    if (Date.now() > giveUpAt) throw new Error(`Not within ${READY_WITHIN_MS / 1_000} seconds: ${what}.`);
}
