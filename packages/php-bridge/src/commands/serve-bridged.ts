import { createServer } from "node:http";
import { giveWay } from "@tillkit/runtime";
import { printRecovery, serveUntilStopped } from "@tillkit/server";
import { type BridgedConfig, listedStores } from "../config/schema.ts";
import type { ServedPlatform } from "../served-platform.ts";
import { type BridgedServer, createBridgedServer } from "../server/bridged-server.ts";
import { greeting } from "./greeting.ts";

export type ServeOptions = {
  /** A JSON file; the README lists its keys. */
  readonly configFile: string;
  /** `both`, `receiver` or `worker`; unless set that of the environment variable `TILLKIT_ROLE`, then that of the file. */
  readonly role?: string | undefined;
  /** Prints one JSON object as the first line on stdout, for programs that start the checkout server. */
  readonly json?: boolean;
  readonly print: (text: string) => void;
};

/** Listens, prints the address, and runs until Ctrl-C or SIGTERM. @throws Error with one sentence if it cannot start */
export async function serveBridged(
  platform: ServedPlatform,
  config: BridgedConfig,
  { json, print }: Pick<ServeOptions, "json" | "print">,
): Promise<void> {
  giveWay(config.role);
  const checkoutServer = await createBridgedServer(platform, config);
  const unpaired = await checkoutServer.unpaired();
  await serveUntilStopped({
    server: createServer(checkoutServer.listener),
    listen: config.listen,
    started(address) {
      checkoutServer.start();
      const baseUrl = `http://${address}`;
      print(json === true ? readyLine(checkoutServer, baseUrl) : greeting(platform, config, baseUrl, unpaired));
    },
    close: checkoutServer.close,
  });
}

function readyLine({ config }: BridgedServer, baseUrl: string): string {
  const { publicUrl, role } = config;
  return JSON.stringify({
    baseUrl,
    publicUrl,
    role,
    stores: listedStores(config).map(({ id }) => id),
    pid: process.pid,
  });
}

export type RecoverOptions = {
  readonly configFile: string;
  /** A moment shortly before the backup was made, in milliseconds since 1970. */
  readonly since: number;
  readonly print: (text: string) => void;
};

/**
 * Restores payments and refunds that the service has and a database restored from a backup lacks. A checkout server may run at the same time.
 * @throws Error with one sentence if the service did not return everything
 */
export async function recoverBridged(
  platform: ServedPlatform,
  config: BridgedConfig,
  { since, print }: Pick<RecoverOptions, "since" | "print">,
): Promise<void> {
  const server = await createBridgedServer(platform, config);
  try {
    await printRecovery(server.checkout.recover(since), print);
  } finally {
    await server.close();
  }
}
