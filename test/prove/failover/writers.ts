import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger } from "@tillkit/ledger";

const WRITERS = 8;
const PAUSE_AFTER_FAILURE_MS = 20;
const STORE = "hats";

/** Programs that write to the ledger while its machine dies. Each write is repeated under the same name until it is there. */
export type Writers = {
  /** The names of the writes that were acknowledged so far, including writes that were lost with a machine later. */
  readonly acknowledged: ReadonlySet<string>;
  /** The number of calls that got no answer or an error. */
  failures(): number;
  /** The number of writes whose answer was lost although they had happened. */
  settledByName(): number;
  /** Resolves after `count` more writes were acknowledged. */
  acknowledge(count: number): Promise<void>;
  /** Finishes the writes under way. */
  stop(): Promise<void>;
};

export function startWriters(ledger: Ledger): Writers {
  const acknowledged = new Set<string>();
  let failed = 0;
  let settled = 0;
  let stopped = false;

  async function write(name: string): Promise<void> {
    while (!acknowledged.has(name)) {
      try {
        const result = await ledger.records.put(STORE, "written", name, name, "new");
        // An earlier try, whose answer was lost, had written it.
        if (result === "stale") settled += 1;
        acknowledged.add(name);
      } catch {
        failed += 1;
        await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  async function keepWriting(writer: number): Promise<void> {
    for (let number = 0; !stopped; number += 1) await write(`${writer}-${number}`);
  }

  const running = Array.from({ length: WRITERS }, (_, writer) => keepWriting(writer));
  return {
    acknowledged,
    failures: () => failed,
    settledByName: () => settled,
    async acknowledge(count) {
      const goal = acknowledged.size + count;
      while (acknowledged.size < goal) await sleep(PAUSE_AFTER_FAILURE_MS);
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** The names that the ledger shows. */
export async function writtenNames(ledger: Ledger): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const firstPage = { kind: "written", limit: 1_000 };
  let rows = await ledger.records.list(firstPage);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    for (const { key } of rows) names.add(key);
    rows = await ledger.records.list({ ...firstPage, after: { storeId: last.storeId, key: last.key } });
  }
  return names;
}
