import { createMemoryLedger } from "@tillkit/core/memory";

/** Its writes fail from one of them on, as those of a process that was killed, until `revive`. */
export function mortalLedger() {
  const ledger = createMemoryLedger();
  let isDead: (write: string) => boolean = () => false;
  let hasDied = false;
  const mortal =
    <Parameters extends unknown[], Result>(part: string, write: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters) => {
      hasDied ||= isDead(`${part} ${parameters[1]}`);
      if (hasDied) throw new Error("killed");
      return await write(...parameters);
    };
  const rows = (part: string, { put, remove, ...reads }: typeof ledger.records) => ({
    ...{ ...reads, put: mortal(`${part}.put`, put), remove: mortal(`${part}.remove`, remove) },
  });
  const { credentials, records, secrets, recordAct } = ledger;
  return {
    ledger: {
      ...{ ...ledger, records: rows("records", records), secrets: rows("secrets", secrets) },
      recordAct: mortal("recordAct", recordAct),
      credentials: {
        ...credentials,
        put: mortal("credentials.put", credentials.put),
        remove: mortal("credentials.remove", credentials.remove),
      },
    },
    killAfter(writes: number) {
      let left = writes;
      isDead = () => left-- <= 0;
    },
    /** Before the write that is named `part.method kind`, at its n-th time. */
    killBefore(name: string, nth = 1) {
      let left = nth;
      isDead = (write) => write.startsWith(name) && --left <= 0;
    },
    revive() {
      isDead = () => false;
      hasDied = false;
    },
  };
}
