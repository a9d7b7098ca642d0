// What it costs to verify the signature of a webhook and to parse its body, for bodies of 1 KB and 64 KB. Nothing waits here, so all
// contenders run in this process, one after another, in an order that changes.
import { measureInRounds, printMeasurement, seriesOf } from "./harness/measurement.ts";
import { verifiers } from "./verify/verifiers.ts";

/** An event without metadata. */
const paid = {
  id: "evt_5b1c7d20a4e94f6d",
  event: "PAYMENT_SUCCEEDED",
  timestamp: "2026-03-01T10:15:30.000Z",
  data: {
    transaction_id: "6f1f0a0e-6f59-4f0c-9f7a-1a6b8f1d2c33",
    checkout_session_id: "0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11",
    status: "completed",
    gross_amount: 25_000,
    fee_amount: 500,
    net_amount: 24_500,
    currency_code: "XOF",
    provider_code: "WAVE",
    environment: "test",
    created_at: "2026-03-01T10:14:30.000Z",
    updated_at: "2026-03-01T10:15:29.000Z",
  },
};

const CPU_MS = 400;
const WARM_UP_CPU_MS = 200;

for (const kilobytes of [1, 64]) {
  const contenders = verifiers(eventOf(kilobytes * 1_024));
  for (const verify of Object.values(contenders)) await verificationsASecond(verify, WARM_UP_CPU_MS);
  const measured = await measureInRounds(
    Object.fromEntries(
      Object.entries(contenders).map(([name, verify]) => [name, () => verificationsASecond(verify, CPU_MS)]),
    ),
  );
  const { typed = [], ...sameWork } = measured;
  const what = `${kilobytes} KB: verified and parsed in a second of CPU`;
  const { ours, peers } = seriesOf(sameWork, (perSecond) => perSecond);
  printMeasurement({ what, unit: "", ours, peers, goal: { atLeast: 0.95, timesOf: "crypto + parse" } });
  printMeasurement({ what: `${what}, with a typed event`, unit: "", ours: typed, peers });
}

async function verificationsASecond(verify: () => unknown, cpuMs: number): Promise<number> {
  const before = process.cpuUsage();
  // Reads the CPU time only after every 64 verifications, because reading it takes time too.
  for (let count = 0; ; count += 64) {
    const { user, system } = process.cpuUsage(before);
    const spentMs = (user + system) / 1_000;
    if (spentMs >= cpuMs) return (count * 1_000) / spentMs;
    for (let repeat = 0; repeat < 64; repeat += 1) verify();
  }
}

/** An event of a paid transaction whose metadata fills it to that size. */
function eventOf(bytes: number): Buffer {
  const metadata: Record<string, string> = { order_id: "1042", store: "shop-1" };
  const body = () => JSON.stringify({ ...paid, data: { ...paid.data, metadata } });
  const value = "x".repeat(38);
  const longestEntry = `,"line_9999":"${value}"`.length;
  for (let number = 0; body().length + longestEntry <= bytes; number += 1) metadata[`line_${number}`] = value;
  return Buffer.from(body().padEnd(bytes));
}
