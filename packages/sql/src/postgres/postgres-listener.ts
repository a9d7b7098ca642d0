import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The machine may die while the listener begins to listen, and its connection would then wait for an answer without end. */
const QUERY_TIMEOUT_MS = 5_000;
/** How often the listener checks that it still receives notifications. */
const PROBE_INTERVAL_MS = 5_000;
const PROBE_TIMEOUT_MS = 2_000;

export type Listener = { stop(): Promise<void> };

/**
 * Listens to a channel on a connection of its own until it is stopped. It opens a lost connection again, and then calls
 * `onNotification` once, because notifications may have been missed. A connection to a machine that died without closing its
 * connections, or through a pooler that passes no notifications on, shows no error. So the listener notifies itself from time to
 * time: when such a probe does not come back, the connection is lost.
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
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    let resolveLost = () => {};
    const lost = new Promise<void>((resolve) => {
      resolveLost = resolve;
    });
    client.once("end", resolveLost);
    client.on("error", resolveLost);
    stopped.signal.addEventListener("abort", resolveLost);
    client.on("notification", (message) => message.channel === channel && onNotification(message.payload ?? ""));
    const ended = new AbortController();
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (isReconnect) onNotification("");
      void keepProbing(client, ended.signal).then(resolveLost);
      await lost;
      return true;
    } catch {
      return false;
    } finally {
      ended.abort();
      stopped.signal.removeEventListener("abort", resolveLost);
      // A connection that cannot be closed is lost already. Its machine may be dead and would never answer the closing message.
      await Promise.race([client.end().catch(() => {}), sleep(PROBE_TIMEOUT_MS, undefined, { ref: false })]);
      client.connection.stream.destroy();
    }
  }

  /** Resolves when a probe gets no answer, or when `signal` is aborted. */
  async function keepProbing(client: Client, signal: AbortSignal): Promise<void> {
    const probeChannel = `tillkit_probe_${randomUUID().replaceAll("-", "")}`;
    let onProbe = () => {};
    client.on("notification", (message) => message.channel === probeChannel && onProbe());
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    const isListening = await client.query(`listen ${probeChannel}`).then(
      () => true,
      () => false,
    );
    while (isListening && !signal.aborted) {
      const arrival = new Promise<"arrived">((resolve) => {
        onProbe = () => resolve("arrived");
      });
      client.query(`notify ${probeChannel}`).catch(() => {});
      if ((await Promise.race([arrival, pause(PROBE_TIMEOUT_MS)])) !== "arrived") return;
      await pause(PROBE_INTERVAL_MS);
    }
  }

  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
