import { setTimeout as sleep } from "node:timers/promises";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

export type Listener = { stop(): Promise<void> };

/**
 * Hears a channel on a connection of its own, for as long as it takes: a connection that breaks is made again, and then
 * `hear` is called too, because nobody knows what was said meanwhile.
 */
export function startListener(url: string, channel: string, hear: (payload: string) => void): Listener {
  const stopped = new AbortController();
  const running = listenOn();

  async function listenOn(): Promise<void> {
    for (let losses = 0; !stopped.signal.aborted; losses += 1) {
      const heardSomething = await listenOnce(losses > 0);
      if (heardSomething) losses = 0;
      // Spread, so that the processes that lost a server together do not come back in one moment.
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** losses, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
      await sleep(waitMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
    }
  }

  /** Until the connection is lost. Answers whether there was one. */
  async function listenOnce(isAgain: boolean): Promise<boolean> {
    const { Client } = await import("pg");
    const client = new Client({
      connectionString: url,
      application_name: "tillkit listener",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    let leave = () => {};
    const lost = new Promise<void>((resolve) => {
      leave = resolve;
    });
    client.once("end", leave);
    client.on("error", leave);
    stopped.signal.addEventListener("abort", leave);
    client.on("notification", ({ payload = "" }) => hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (isAgain) hear("");
      await lost;
      return true;
    } catch {
      return false;
    } finally {
      stopped.signal.removeEventListener("abort", leave);
      // One that cannot be ended is gone already.
      await client.end().catch(() => {});
    }
  }

  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
