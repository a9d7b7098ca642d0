import type { Delivery } from "@tillkit/core/ledger";

/** The limits of one commit. A larger batch makes its first delivery wait longer. */
const MAX_BATCH_ROWS = 256;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

type Call = {
  readonly rows: readonly Delivery[];
  readonly bytes: number;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Collects the deliveries that arrive during a commit and stores them in the next commit, so that a flood of webhooks costs
 * few commits. `store` calls `take` for the rows of a batch when the database can write them.
 */
export function createDeliveryBatcher(
  store: (take: () => readonly Delivery[]) => Promise<void>,
): (rows: readonly Delivery[]) => Promise<void> {
  const waiting: Call[] = [];
  let running = false;

  async function storeWaiting(): Promise<void> {
    while (waiting.length > 0) await storeBatch();
    running = false;
  }

  async function storeBatch(): Promise<void> {
    let taken: readonly Call[] = [];
    const take = () => {
      // A database that repeats its transaction calls `take` again and must receive the same rows.
      if (taken.length === 0) taken = takeBatch();
      return taken.flatMap(({ rows }) => rows);
    };
    try {
      await store(take);
      for (const call of taken) call.resolve();
    } catch (error) {
      // When `store` failed before it took rows, the next batch waits for the same database and gets the same error.
      const failed = taken.length === 0 ? takeBatch() : taken;
      for (const call of failed) call.reject(error);
    }
  }

  function takeBatch(): readonly Call[] {
    let rows = 0;
    let bytes = 0;
    let count = 0;
    for (const call of waiting) {
      rows += call.rows.length;
      bytes += call.bytes;
      if (count > 0 && (rows > MAX_BATCH_ROWS || bytes > MAX_BATCH_BYTES)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  return async function storeInBatches(rows) {
    if (rows.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      const bytes = rows.reduce((sum, row) => sum + row.bytes.byteLength, 0);
      waiting.push({ rows, bytes, resolve, reject });
      if (running) return;
      running = true;
      void storeWaiting();
    });
  };
}
