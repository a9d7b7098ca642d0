import type { SimulatedLedger } from "./simulation-world.ts";
import { type Method, withMethods } from "./with-methods.ts";

/** A ledger whose backup can replace it, as an operator does after an accident. */
export type RestorableLedger = SimulatedLedger & {
  takeBackup(): void;
  /** Replaces all payments, deliveries and jobs by those of the backup. Does nothing without a backup. */
  restore(): Promise<void>;
};

/** Every method that changes a payment, a delivery, a job or a lease. */
const WRITES: ReadonlySet<string> = new Set([
  "commit",
  "receive",
  "claim",
  "renewJobs",
  "lockOrder",
  "unlockOrder",
  "renewOrder",
  "eraseOrders",
  "eraseStore",
]);

export function withoutBackups(ledger: SimulatedLedger): RestorableLedger {
  return { ...ledger, takeBackup: () => {}, restore: async () => {} };
}

/**
 * Records every write until the backup. The restored ledger is a new one in which these writes are repeated, so any kind of ledger
 * can be restored. A platform's records are not restored, because a write-only shop posts its sessions only once.
 */
export function withBackups(first: SimulatedLedger, open: () => Promise<SimulatedLedger>): RestorableLedger {
  const writes: { readonly name: string; readonly given: readonly never[] }[] = [];
  const replaced: SimulatedLedger[] = [];
  let current = first;
  let isRecording = true;
  let hasBackup = false;

  const call = (ledger: SimulatedLedger, name: string, given: readonly never[]) =>
    (Reflect.get(ledger, name) as Method)(...given);
  const forwarded = withMethods(first, (_, name) => (...given) => {
    if (isRecording && WRITES.has(name)) writes.push({ name, given });
    return call(current, name, given);
  });
  return {
    ...forwarded,
    takeBackup() {
      isRecording = false;
      hasBackup = true;
    },
    async restore() {
      if (!hasBackup) return;
      const restored = await open();
      for (const { name, given } of writes) await call(restored, name, given);
      replaced.push(current);
      current = restored;
    },
    async close() {
      for (const ledger of [...replaced, current]) await ledger.close();
    },
  };
}
