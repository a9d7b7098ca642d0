import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";

/** A connection is made, written to and read from in fewer turns of the event loop. */
const TURNS = 20;
/** In real time. A request that the service holds on purpose is not waited for. */
const TIMEOUT_MS = 100;

const open = new Set<ServerResponse>();

subscribe("http.server.request.start", (message) => {
  const { response } = message as { response: ServerResponse };
  open.add(response);
  response.once("close", () => open.delete(response));
});

/**
 * In real time: what was sent between the servers of this process has arrived and is answered. Time that is moved by hand would
 * else run ahead of the loopback on a busy machine, and minutes pass within one call.
 */
export async function waitForLoopback(): Promise<void> {
  const start = performance.now();
  for (let quiet = 0; quiet < TURNS && performance.now() - start < TIMEOUT_MS; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = open.size === 0 ? quiet + 1 : 0;
  }
}
