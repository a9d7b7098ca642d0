import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serverLimits } from "../limits.ts";
import { limitConnections } from "./limit-connections.ts";

export type Serving = {
  readonly server: Server;
  readonly listen: { readonly host: string; readonly port: number };
  /** Called when the server listens. `address` is host and port in the form of a URL. */
  readonly started: (address: string) => void;
  /** Finishes the work under way. Called exactly once, also when the server could not listen. */
  readonly close: () => Promise<void>;
};

/**
 * Serves until Ctrl-C or SIGTERM, closes everything and resolves.
 * @throws Error when the server cannot listen on the address. Its message is for the terminal and names the remedy.
 */
export async function serveUntilStopped({ server, listen, started, close }: Serving): Promise<void> {
  const untilStopSignal = waitForStopSignal();
  server.keepAliveTimeout = serverLimits.keepAliveTimeoutMs;
  limitConnections(server);
  try {
    await listenOn(server, listen);
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  started(`${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${port}`);
  await untilStopSignal;
  // Open requests are answered, and no new connection is accepted.
  const untilClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await close();
  server.closeAllConnections();
  await untilClosed;
}

async function listenOn(server: Server, { host, port }: Serving["listen"]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    const why = WHY[cause.code ?? ""] ?? `cannot be opened (${cause.code})`;
    throw new Error(`Port ${port} on ${host} ${why}.`, { cause });
  });
}

const NO_ADDRESS =
  "cannot be opened: this machine does not have this address. Set listen.host to 127.0.0.1, or 0.0.0.0 for all";

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: stop the program that listens there, or set another listen.port",
  EACCES: "cannot be opened by this user, and ports below 1024 often need more rights: set another listen.port",
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
};

/**
 * Signals after the first are ignored: Ctrl-C reaches every process of a terminal, and a parent such as npm forwards its own signal to
 * this process, which then gets two.
 */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
}
