// node one-merchant.ts <ledger URL>: a merchant's server, from startCheckout to the recorded order. The store is in memory, so that only
// our own work is measured.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openLedger } from "@tillkit/ledger";
import { createCheckoutServer } from "@tillkit/server";
import { createMemoryStore, orderOf, STORE } from "./memory-store.ts";
import type { Credential, MerchantAnswer, MerchantRequest } from "./messages.ts";

const [ledgerUrl = ""] = process.argv.slice(2);
const ledger = await openLedger(ledgerUrl);
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
answer({ port });
const [credential] = (await once(process, "message")) as [Credential];
const paid = batched((orders) => answer({ paid: orders }));
const opened = batched((urls) => answer({ opened: urls }));
const checkout = createCheckoutServer({
  publicUrl: `http://127.0.0.1:${port}`,
  keys: ["a key of the benchmark, made up for this run"],
  ledger,
  stores: { [STORE]: createMemoryStore(paid) },
  credentials: [credential],
});
server.on(
  "request",
  checkout.listener((_request, response) => response.writeHead(404).end()),
);
checkout.startTimer();
process.on("disconnect", () => process.exit());
process.on("message", async (request: MerchantRequest) => {
  if (!("start" in request)) {
    const { user, system } = process.cpuUsage();
    return answer({ cpuMs: (user + system) / 1_000, rssMb: process.memoryUsage.rss() / 2 ** 20 });
  }
  const start = await checkout.startCheckout(orderOf(request.start));
  if (start.status !== "redirect") throw new Error(`An order cannot be paid: ${start.status}.`);
  opened(start.url);
});

function answer(message: MerchantAnswer): void {
  process.send?.(message);
}

/** Messages between processes cost CPU, so those of a few milliseconds are sent together. */
function batched(send: (items: readonly string[]) => void): (item: string) => void {
  let waiting: string[] = [];
  return (item) => {
    if (waiting.push(item) > 1) return;
    setTimeout(() => {
      send(waiting);
      waiting = [];
    }, 5);
  };
}
