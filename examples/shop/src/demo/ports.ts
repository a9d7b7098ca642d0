import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on the preferred port, or on any free port if that port is taken. Reachable from this machine only. */
export async function listen(preferred: number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  try {
    return { server, port: await tryPort(server, preferred) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return { server, port: await tryPort(server, 0) };
  }
}

/** Returns the preferred port if it is free, else 0, which requests any port. */
export async function preferredPortOrAny(preferred: number): Promise<number> {
  const { server, port } = await listen(preferred);
  await closeServer(server);
  return port === preferred ? preferred : 0;
}

export async function closeServer(server: Server): Promise<void> {
  const untilClosed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await untilClosed;
}

async function tryPort(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
