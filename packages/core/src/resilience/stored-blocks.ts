import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Records } from "../ports/records.ts";
import { allRecords } from "./all-records.ts";

/** Calls of one kind that a store refuses: since when, the last refusal, and when the next call tries it. Milliseconds since 1970. */
export type Refusal = { readonly since: number; readonly at: number; readonly probeAt: number };

/** A store that refuses us, or has refused us. Times in milliseconds since 1970. */
export type StoreBlock = {
  readonly since: number;
  /** When the store answered again; null while it refuses us. */
  readonly endedAt: number | null;
  /** Until when the others wait for the call that probes the store. */
  readonly probedUntil: number;
  readonly refusals: {
    readonly read?: Refusal;
    readonly pay?: Refusal;
    readonly write?: Refusal;
  };
};

export const NO_BLOCK: StoreBlock = { since: 0, endedAt: 0, probedUntil: 0, refusals: {} };

/** A store that nobody has tried for a long time, because no payment waits for it, counts as not blocked. */
export function isBlocked({ endedAt, refusals }: StoreBlock, now: number): boolean {
  const probeTimes = Object.values(refusals).map(({ probeAt }) => probeAt);
  return endedAt === null && now < Math.max(0, ...probeTimes) + limits.untriedMs;
}

export function refusalAt(now: number, earlier: Refusal | undefined): Refusal {
  const since = Math.min(earlier?.since ?? now, now);
  const ageMs = now - since;
  const waitMs = ageMs <= limits.probeOftenMs ? limits.probeFirstMs : Math.min(ageMs / 10, limits.probeMaxMs);
  return { since, at: now, probeAt: Math.round(now + waitMs) };
}

/** A time that no right clock can have noted, because a clock ahead was set back since the refusal, has come. */
export function probeTime({ probeAt }: Refusal, now: number): number {
  return probeAt > now + limits.probeMaxMs + limits.clockSkewMs ? now : probeAt;
}

/** Another process may see a sign of life of the store before the next probe. */
export function askAgainAt(refusal: Refusal, now: number): number {
  return Math.min(probeTime(refusal, now), now + limits.blockedCheckMs);
}

export type BlockRecords = Pick<Records, "get" | "put">;

export type StoreBlockOf = StoreBlock & { readonly storeId: string };

type Stored = { readonly block: StoreBlock; readonly version: number | "new" };

/** One row for each store that has ever refused us. */
const KIND = "store-block";
const KEY = "";

/** The blocks in the ledger, and what this process knows of them. */
export function createStoredBlocks(
  records: BlockRecords,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): {
  /** The stores that refuse us, as far as this process knows. */
  readonly known: Set<string>;
  /** Whether this process has read the row of the store before. */
  isRead(storeId: string): boolean;
  read(storeId: string): Promise<Stored>;
  /** False: the row has another version. */
  put(storeId: string, block: StoreBlock, version: number | "new"): Promise<boolean>;
  /** `next` returns null where nothing changes. What the store answered counts, also while the ledger does not answer. */
  change(storeId: string, next: (block: StoreBlock) => StoreBlock | null): Promise<void>;
} {
  const readStores = new Set<string>();
  const known = new Set<string>();

  async function read(storeId: string): Promise<Stored> {
    const row = await records.get(storeId, KIND, KEY);
    const block = row ? (row.value as StoreBlock) : NO_BLOCK;
    learn(storeId, block);
    return { block, version: row?.version ?? "new" };
  }

  async function put(storeId: string, block: StoreBlock, version: number | "new"): Promise<boolean> {
    const isDone = (await records.put(storeId, KIND, KEY, block, version)) === "done";
    if (isDone) learn(storeId, block);
    return isDone;
  }

  function learn(storeId: string, block: StoreBlock): void {
    readStores.add(storeId);
    if (isBlocked(block, clock.now())) known.add(storeId);
    else known.delete(storeId);
  }

  async function tryChange(storeId: string, next: (block: StoreBlock) => StoreBlock | null): Promise<void> {
    for (let attempt = 0; attempt < limits.maxCommitAttempts; attempt += 1) {
      const { block, version } = await read(storeId);
      const changed = next(block);
      if (changed === null) return;
      if (!(await put(storeId, changed, version))) continue;
      if (block.endedAt === null && changed.endedAt !== null) log.info("store.answers_again", { storeId });
      return;
    }
  }

  return {
    known,
    isRead: (storeId) => readStores.has(storeId),
    read,
    put,
    change: (storeId, next) =>
      tryChange(storeId, next).catch((error: unknown) => {
        log.warn("store.block_not_stored", { storeId, code: codeOf(error) });
      }),
  };
}

/** The stores that refuse us now, and those that have answered again since `endedSince`. */
export async function listStoreBlocks(
  records: Pick<Records, "list">,
  { now, endedSince }: { readonly now: number; readonly endedSince: number },
): Promise<readonly StoreBlockOf[]> {
  const found: StoreBlockOf[] = [];
  for await (const { storeId, value } of allRecords(records, { kind: KIND })) {
    const block = { storeId, ...(value as StoreBlock) };
    if (isBlocked(block, now) || (block.endedAt ?? 0) > endedSince) found.push(block);
  }
  return found;
}

/** For a ledger without records: each process probes by itself. */
export function createRecordsOfProcess(): BlockRecords {
  const rows = new Map<string, { readonly value: unknown; readonly version: number }>();
  return {
    get: async (storeId) => rows.get(storeId) ?? null,
    put: async (storeId, _kind, _key, value, expect) => {
      const version = rows.get(storeId)?.version ?? "new";
      if (version !== expect) return "stale";
      rows.set(storeId, { value, version: version === "new" ? 1 : version + 1 });
      return "done";
    },
  };
}
