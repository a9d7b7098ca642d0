import type { Flood } from "./flood.ts";
import { type MerchantProcess, startMerchant } from "./merchant-process.ts";
import type { Usage } from "./messages.ts";

/** All processes of the merchant: one that does everything, or receivers and workers. */
export type Merchants = {
  /** The addresses that receive webhooks. */
  readonly urls: readonly string[];
  start(orders: number): Promise<void>;
  work(): Promise<void>;
  /** The memory of the process that has most, and the processor time of all. */
  usage(): Promise<Usage>;
  output(): string;
  close(): Promise<void>;
};

export async function startMerchants({ apart }: Flood, ledgerUrl: string, outsideUrl: string): Promise<Merchants> {
  const start = (role: "both" | "receiver" | "worker") => startMerchant(ledgerUrl, outsideUrl, role);
  const receivers: MerchantProcess[] = [];
  // The receivers start one after another, because the first receiver creates the ledger's tables.
  for (let count = 0; count < (apart?.receivers ?? 1); count += 1)
    receivers.push(await start(apart ? "receiver" : "both"));
  const workers = await Promise.all(Array.from({ length: apart?.workers ?? 0 }, () => start("worker")));
  const all = [...receivers, ...workers];
  const [first] = receivers;

  return {
    urls: receivers.map(({ url }) => url),
    async start(orders) {
      await first?.request({ start: orders });
    },
    async work() {
      for (const merchant of apart ? workers : receivers) await merchant.request({ work: 1 });
    },
    async usage() {
      const usages = await Promise.all(all.map((merchant) => merchant.request({})));
      return {
        rssMb: Math.max(...usages.map(({ rssMb }) => rssMb)),
        cpuMs: usages.reduce((total, { cpuMs }) => total + cpuMs, 0),
      };
    },
    output: () => all.map((merchant) => merchant.output()).join(""),
    async close() {
      await Promise.all(all.map((merchant) => merchant.request({ close: 1 })));
      await Promise.all(all.map((merchant) => merchant.close()));
    },
  };
}
