import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostLimits } from "../limits.ts";

export type Serving = {
  readonly server: Server;
  readonly listen: { readonly host: string; readonly port: number };
  /** Called once it listens. `address`: host and port as they stand in a URL. */
  readonly started: (address: string) => void;
  /** What is under way is finished meanwhile; called once, also when it could not listen. */
  readonly close: () => Promise<void>;
};

/** Listens, and resolves when Ctrl-C or SIGTERM came and everything is closed. @throws Error with one sentence */
export async function serveUntilStopped({ server, listen, started, close }: Serving): Promise<void> {
  const stopped = stopSignal();
  server.keepAliveTimeout = hostLimits.keepAliveMs;
  try {
    await listenOn(server, listen);
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  started(`${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${port}`);
  await stopped;
  // What is under way is answered; nobody new is let in.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await close();
  server.closeAllConnections();
  await closed;
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
  "cannot be opened: this is no address of this machine. Set listen.host to 127.0.0.1, or 0.0.0.0 for all";

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken: stop what listens there, or set another listen.port",
  EACCES: "may not be opened by this user, as ports below 1024: set another listen.port",
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
};

/** A second signal changes nothing: Ctrl-C reaches every process of a terminal. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
}
