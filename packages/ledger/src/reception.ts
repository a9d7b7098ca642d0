import type { Delivery } from "@tillkit/core";

/** Of one commit. The more share it, the longer the first of them waits. */
const ROWS_AT_ONCE = 256;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

type Call = {
  readonly rows: readonly Delivery[];
  readonly bytes: number;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Deliveries that come while others are being kept wait for them and are kept together: a flood costs a few commits.
 * `keep` calls `take` when it is ready to write.
 */
export function createReception(
  keep: (take: () => readonly Delivery[]) => Promise<void>,
): (rows: readonly Delivery[]) => Promise<void> {
  const waiting: Call[] = [];
  let running = false;

  async function keepWaiting(): Promise<void> {
    while (waiting.length > 0) await keepTogether();
    running = false;
  }

  async function keepTogether(): Promise<void> {
    let taken: readonly Call[] = [];
    const take = () => {
      // Called again when the database asks to repeat the transaction: the same rows.
      if (taken.length === 0) taken = takeTogether();
      return taken.flatMap(({ rows }) => rows);
    };
    try {
      await keep(take);
      for (const call of taken) call.resolve();
    } catch (error) {
      // Who was not taken yet waits for the same database: it has the same answer.
      for (const call of taken.length === 0 ? takeTogether() : taken) call.reject(error);
    }
  }

  function takeTogether(): readonly Call[] {
    let rows = 0;
    let bytes = 0;
    let count = 0;
    for (const call of waiting) {
      rows += call.rows.length;
      bytes += call.bytes;
      if (count > 0 && (rows > ROWS_AT_ONCE || bytes > BYTES_AT_ONCE)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  return async function receive(rows) {
    if (rows.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      const bytes = rows.reduce((sum, row) => sum + row.bytes.byteLength, 0);
      waiting.push({ rows, bytes, resolve, reject });
      if (running) return;
      running = true;
      void keepWaiting();
    });
  };
}
