import { createServer } from "node:http";
import process from "node:process";
import { type Clock, systemClock } from "@tillkit/core";
import { createShopifyApp, type ShopifyConfigInput } from "@tillkit/shopify";

/** The message from the parent. `aheadMs`: how far the clock of this process is ahead of the machine's. */
export type AppProcessInput = {
  readonly config: ShopifyConfigInput;
  readonly port: number;
  readonly aheadMs: number;
};

// The app server in its own process, which a test can kill. After the first message it answers each message with its memory
// and CPU time.
process.once("message", (input: AppProcessInput) => void run(input));

async function run({ config, port, aheadMs }: AppProcessInput): Promise<void> {
  const clock: Clock = { now: () => systemClock.now() + aheadMs, sleep: systemClock.sleep };
  const app = await createShopifyApp(config, { clock });
  const server = createServer(app.listener);
  server.listen(port, "127.0.0.1", () => {
    app.start();
    process.send?.("ready");
  });
  process.on("message", () => {
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    process.send?.({ heapUsed, rss, cpuMs: (user + system) / 1_000 });
  });
}
