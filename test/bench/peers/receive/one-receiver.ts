// node one-receiver.ts <receiver> <ledger URL>: a server in a process of its own. Sends its address, and its CPU time when it is asked.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { receivers } from "./receivers.ts";

const [name = "", ledgerUrl = ""] = process.argv.slice(2);
const listener = await receivers[name]?.(ledgerUrl);
if (listener === undefined) throw new Error(`There is no receiver ${name}.`);
const server = createServer(listener);
// Longer than any connection is idle.
server.keepAliveTimeout = 600_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1_000 });
});
process.on("disconnect", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port });
