import { once } from "node:events";
import { openLedger } from "@tillkit/ledger";

// A process on the ledger of a test. It runs one task after the message "go" and reports through `process.send`.
const NOON = Date.UTC(2026, 0, 6, 12);
const KEY = {
  environment: "test",
  apiKey: "svc_sk_test_1",
  baseUrl: "https://service.example",
  account: undefined,
  endpointId: "endpoint",
} as const;
const [task = "", url = "", name = ""] = process.argv.slice(2);
const report = (value: unknown) => process.send?.(value);
const reportAndWait = async (value: unknown) => {
  report(value);
  await once(process, "message");
};

const tasks: Record<string, () => Promise<void>> = {
  async open() {
    const ledger = await openLedger(url);
    await ledger.close();
    report("opened");
  },
  async lock() {
    const ledger = await openLedger(url);
    report(await ledger.lockOrder({ storeId: "hats", orderId: "order-1" }, name, NOON, 60_000));
    await ledger.close();
  },
  async claim() {
    const ledger = await openLedger(url);
    const ids: string[] = [];
    for (let round = 0; ; round += 1) {
      const jobs = await ledger.claim({ worker: name, now: NOON, leaseMs: 60_000, limit: 5 });
      if (jobs.length === 0) break;
      ids.push(...jobs.map(({ id }) => id));
      // No process claims a second time before every process has claimed once.
      if (round === 0) await reportAndWait("first round");
    }
    report(ids);
    await ledger.close();
  },
  async spend() {
    const ledger = await openLedger(url);
    const windows = [
      { name: "minute", perMs: 60_000, calls: 100 },
      { name: "day", perMs: 86_400_000, calls: 1_000 },
    ];
    let spent = 0;
    for (let call = 0; call < 60; call += 1) {
      if ((await ledger.spend({ credentialId: "key", now: NOON, windows })) === 0) spent += 1;
    }
    report(spent);
    await ledger.close();
  },
  async credential() {
    const ledger = await openLedger(url, { secretKeys: ["a key of the tests, which is long enough"] });
    for (let count = 1; ; count += 1) {
      // Two of the three shops change their credential every time.
      const storeIds = ["hats", `${name}-${count}`];
      await ledger.credentials.put({
        ...KEY,
        id: `${name}-${count % 3}`,
        storeIds,
        webhookSecrets: [`whsec_${name}-${count}`],
      });
      report(`whsec_${name}-${count}`);
    }
  },
  async receive() {
    const ledger = await openLedger(url);
    for (let count = 0; ; count += 4) {
      const digests = [0, 1, 2, 3].map((index) => `${name}-${count + index}`);
      await Promise.all(
        digests.map(async (digest) => {
          const bytes = new TextEncoder().encode(digest);
          await ledger.receive([{ endpointId: "endpoint-1", digest, bytes, receivedAt: NOON }]);
          report(digest);
        }),
      );
    }
  },
};

await reportAndWait("ready");
await tasks[task]?.();
process.disconnect();
