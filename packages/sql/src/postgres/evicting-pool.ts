import type { Pool, PoolClient } from "pg";

/** A pool that evicts its idle connections after a connection has failed. */
export type EvictingPool = {
  /** Takes an idle connection that was opened after the last failure, or opens a connection. */
  take(): Promise<PoolClient>;
  /**
   * Called with a connection that failed. A database server that vanishes leaves all its connections open, and a statement on
   * each of them would wait until its timeout. So every connection that was opened before the failure is replaced when it is idle.
   */
  evictIdle(failed: PoolClient): void;
  end(): Promise<void>;
};

export function createEvictingPool(pool: Pool): EvictingPool {
  let generation = 0;
  const generationOf = new WeakMap<PoolClient, number>();
  return {
    async take() {
      for (;;) {
        const client = await pool.connect();
        const opened = generationOf.get(client) ?? generation;
        generationOf.set(client, opened);
        if (opened === generation) return client;
        // The driver would send a closing message, which cannot reach a dead machine and would keep this process alive.
        client.connection.stream.destroy();
        client.release(true);
      }
    },
    evictIdle(failed) {
      // A second failure of the same generation says nothing new about the connections that were opened since.
      if (generationOf.get(failed) === generation) generation += 1;
    },
    end: () => pool.end(),
  };
}
