import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { startOwnTime } from "./own-time.ts";

/** More turns of the event loop than a connection needs to be opened, written and read. */
const TURNS = 20;
/** In processor time of this process. Requests that the service delays on purpose are not awaited. */
const TIMEOUT_MS = 100;

const unanswered = new Set<ServerResponse>();

subscribe("http.server.request.start", (message) => {
  const { response } = message as { response: ServerResponse };
  unanswered.add(response);
  response.once("close", () => unanswered.delete(response));
});

/**
 * Waits in real time until all requests between the servers of this process are answered. Otherwise virtual time would
 * run ahead of the loopback interface on a busy machine, and minutes would pass within one call.
 */
export async function waitForLoopback(): Promise<void> {
  const ownTime = startOwnTime();
  for (let quietTurns = 0; quietTurns < TURNS && ownTime() < TIMEOUT_MS; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quietTurns = unanswered.size === 0 ? quietTurns + 1 : 0;
  }
}
