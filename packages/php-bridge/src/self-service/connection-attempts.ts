import type { Clock } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { serverLimits } from "../server-limits.ts";

/** A connection that began. `isRegistering`: the webhook may have a secret at the service that is not stored here. */
export type ConnectionAttempt = {
  readonly storeId: string;
  /** Its shop proved to be this store before the attempt began, or became a new one. */
  readonly address: string;
  readonly startedAt: number;
  readonly isRegistering: boolean;
};

/**
 * The connections that began and have not ended. One whose process died stays, so that what it left is found: by the next connection of the
 * shop, or by the task that ends it.
 */
export type ConnectionAttempts = {
  /** Returns whether an earlier attempt of the store ended while it registered the webhook. */
  begin(storeId: string, address: string): Promise<boolean>;
  /** Call it before the webhook of the store is registered. */
  registering(storeId: string): Promise<void>;
  end(storeId: string): Promise<void>;
  find(storeId: string): Promise<ConnectionAttempt | null>;
  list(): Promise<readonly ConnectionAttempt[]>;
};

/** The rows belong to the server, like those of the stores. */
const SERVER = "";
const KIND = "store-attempt";

export function createConnectionAttempts(records: Records, clock: Clock): ConnectionAttempts {
  const read = async (storeId: string) => await records.get(SERVER, KIND, storeId);

  async function write(storeId: string, change: Partial<ConnectionAttempt>): Promise<ConnectionAttempt | null> {
    const row = await read(storeId);
    const before = (row?.value ?? null) as ConnectionAttempt | null;
    const next = { storeId, isRegistering: false, ...before, ...change };
    const result = await records.put(SERVER, KIND, storeId, next, row?.version ?? "new");
    return result === "stale" ? await write(storeId, change) : before;
  }

  return {
    begin: async (storeId, address) =>
      (await write(storeId, { address, startedAt: clock.now() }))?.isRegistering === true,
    registering: async (storeId) => void (await write(storeId, { isRegistering: true })),
    async end(storeId) {
      const row = await read(storeId);
      if (row !== null) await records.remove(SERVER, KIND, storeId, row.version);
    },
    find: async (storeId) => ((await read(storeId))?.value ?? null) as ConnectionAttempt | null,
    list: async () =>
      (await records.list({ kind: KIND, storeId: SERVER, limit: serverLimits.listedAttempts })).map(
        ({ value }) => value as ConnectionAttempt,
      ),
  };
}
