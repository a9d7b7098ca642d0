import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabaseAddress } from "../../postgres/database-address.ts";
import { makeFolder } from "../temporary-folder.ts";
import { createMachine, follow, initialize, type ServerMachine } from "./server-machine.ts";

/** How long bytes need between the machines of an asynchronous pair. Without this delay nothing would ever be lost. */
const ASYNCHRONOUS_DELAY_MS = 100;
const POLL_MS = 10;

/** A primary server and its standby, with one address for the programs. */
export type Pair = {
  readonly primary: ServerMachine;
  readonly standby: ServerMachine;
  readonly url: string;
  /** Makes the standby the primary and turns the address to it. */
  takeOver(): Promise<void>;
  close(): Promise<void>;
};

/** `synchronous`: a commit is acknowledged once the standby has it. */
export async function openPair({ synchronous }: { synchronous: boolean }): Promise<Pair> {
  const folder = await makeFolder("pair");
  // The servers run as another user than root.
  await chmod(folder.path, 0o755);
  const [primary, standby] = await Promise.all(
    ["first", "second"].map((name) => createMachine(join(folder.path, name))),
  );
  if (!primary || !standby) throw new Error("A pair has two machines.");
  await initialize(primary);
  const link = synchronous ? null : await openDatabaseAddress(primary.socketPath, ASYNCHRONOUS_DELAY_MS);
  await follow(standby, link ? { host: "127.0.0.1", port: link.port } : { host: primary.folder, port: 5432 });
  if (synchronous) await waitForStandby(primary);
  const address = await openDatabaseAddress(primary.socketPath);
  return {
    primary,
    standby,
    url: address.url,
    async takeOver() {
      await standby.query("select pg_promote()");
      address.turnTo(standby.socketPath);
    },
    async close() {
      await address.close();
      await link?.close();
      await Promise.all([primary.destroy(), standby.destroy()]);
      await folder.remove();
    },
  };
}

/**
 * The name is set on the primary after the copy was made: a copy of the setting would make the standby, once it is the primary,
 * wait for itself.
 */
async function waitForStandby(primary: ServerMachine): Promise<void> {
  await primary.query("alter system set synchronous_standby_names = 'standby'");
  await primary.query("select pg_reload_conf()");
  while ((await primary.query("select sync_state from pg_stat_replication")) !== "sync") await sleep(POLL_MS);
}
