import { createMemoryLedger, type MemoryLedger } from "@tillkit/core/memory";

/** A ledger that an older backup can replace, as an operator does after an accident. */
export type RestorableLedger = {
  /** Opens the ledger for a process. Once a backup has replaced the ledger, no call returns, as from a database that is gone. */
  connect(): MemoryLedger;
  current(): MemoryLedger;
  /** Every step ends with a backup. */
  takeBackup(): void;
  /** Replaces the ledger by the backup with this number, counted from the oldest; numbers beyond the last wrap around. */
  restore(number: number): Promise<void>;
};

type Method = (...given: never[]) => Promise<unknown>;

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
] satisfies (keyof MemoryLedger)[]);

/**
 * A backup is the number of writes until then, which a new ledger repeats. A platform's records are not restored, because a write-only
 * shop posts its sessions only once.
 */
export function createRestorableLedger(): RestorableLedger {
  const writes: { readonly name: string; readonly given: readonly never[] }[] = [];
  const backups = [0];
  let memory = createMemoryLedger();
  let current = recording(memory);

  function recording(ledger: MemoryLedger): MemoryLedger {
    return wrapMethods(ledger, (name, call, given) => {
      if (WRITES.has(name)) writes.push({ name, given });
      return call(...given);
    });
  }

  return {
    connect() {
      const connected = current;
      return wrapMethods(connected, (_name, call, given) =>
        connected === current ? call(...given) : new Promise(() => {}),
      );
    },
    current: () => current,
    takeBackup: () => void backups.push(writes.length),
    async restore(number) {
      const index = number % backups.length;
      backups.length = index + 1;
      writes.length = backups[index] ?? 0;
      const { records, secrets } = memory;
      memory = { ...createMemoryLedger(), records, secrets };
      for (const { name, given } of writes) await (Reflect.get(memory, name) as Method)(...given);
      current = recording(memory);
    },
  };
}

function wrapMethods(
  ledger: MemoryLedger,
  run: (name: string, call: Method, given: readonly never[]) => unknown,
): MemoryLedger {
  const entries = Object.entries(ledger).map(([name, value]) =>
    typeof value !== "function" || name === "onNewJobs"
      ? [name, value]
      : [name, (...given: never[]) => run(name, value as Method, given)],
  );
  return Object.fromEntries(entries) as MemoryLedger;
}
