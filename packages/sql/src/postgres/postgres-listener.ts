import { setTimeout as sleep } from "node:timers/promises";

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

export type Listener = { stop(): Promise<void> };

/**
 * Listens to a channel on a connection of its own until it is stopped. It opens a lost connection again, and then calls
 * `onNotification` once, because notifications may have been missed.
 */
export function startListener(url: string, channel: string, onNotification: (payload: string) => void): Listener {
  const stopped = new AbortController();
  const running = keepListening();

  async function keepListening(): Promise<void> {
    for (let losses = 0; !stopped.signal.aborted; losses += 1) {
      const wasConnected = await listenOnce(losses > 0);
      if (wasConnected) losses = 0;
      // With jitter, so that processes that lost the same server do not reconnect at the same moment.
      const waitMs = Math.min(FIRST_BACKOFF_MS * 2 ** losses, MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);
      await sleep(waitMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection is lost; false when there was no connection. */
  async function listenOnce(isReconnect: boolean): Promise<boolean> {
    const { Client } = await import("pg");
    const client = new Client({
      connectionString: url,
      application_name: "tillkit listener",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    let resolveLost = () => {};
    const lost = new Promise<void>((resolve) => {
      resolveLost = resolve;
    });
    client.once("end", resolveLost);
    client.on("error", resolveLost);
    stopped.signal.addEventListener("abort", resolveLost);
    client.on("notification", ({ payload = "" }) => onNotification(payload));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (isReconnect) onNotification("");
      await lost;
      return true;
    } catch {
      return false;
    } finally {
      stopped.signal.removeEventListener("abort", resolveLost);
      // A connection that cannot be closed is lost already.
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
