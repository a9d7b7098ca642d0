import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** The preferred port if it is free, otherwise any free port. */
export async function freePort(preferred = 0): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (preferred === 0 ? reject(error) : resolve(freePort())));
    server.listen(preferred, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
