import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on the wanted port, or on any free one when somebody else has it. Reachable from this machine only. */
export async function listen(wanted: number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  try {
    return { server, port: await tryPort(server, wanted) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return { server, port: await tryPort(server, 0) };
  }
}

/** The wanted port while nobody has it, else 0, which asks for any. */
export async function freeOrAny(wanted: number): Promise<number> {
  const { server, port } = await listen(wanted);
  await closeServer(server);
  return port === wanted ? wanted : 0;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
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
