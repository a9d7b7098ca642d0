import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { consolePath } from "./console/components/page-url.ts";
import { checkoutPath, controlPath } from "./create-listener.ts";
import type { Addresses } from "./runtime/service.ts";

export async function listenOn(server: Server, port: number): Promise<Addresses> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EADDRINUSE") throw cause;
    throw new Error(`Port ${port} is taken: stop what listens there, or choose another --port.`, { cause });
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    checkoutBaseUrl: baseUrl + checkoutPath,
    consoleUrl: baseUrl + consolePath,
    controlUrl: baseUrl + controlPath,
  };
}

export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
