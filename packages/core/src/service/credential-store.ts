import { CheckoutError } from "../domain/checkout-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { RecordRow, Records } from "../ports/records.ts";
import { assertEndpointsAreNotMixed, type CredentialEntry, invalid } from "./credential-config.ts";

/** A credential may belong to several stores, so its row belongs to no store. */
const NO_STORE = "";
const KIND = "credential";
/** A row whose version grows with every change, so a process detects changes by reading one row. */
const CHANGES = { kind: "credential-changes", key: "all" } as const;
const CACHE_MS = 5_000;
const PAGE_SIZE = 200;
const MAX_ATTEMPTS = 8;

type Snapshot = { readonly version: number; readonly entries: readonly CredentialEntry[] };

/** Credentials as rows of a ledger's secrets, cached until another process changes one. */
export function createCredentialStore(secrets: Records, clock: Clock) {
  let cached: Snapshot | null = null;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<Snapshot> | null = null;

  async function refresh(): Promise<Snapshot> {
    const version = (await secrets.get(NO_STORE, CHANGES.kind, CHANGES.key))?.version ?? 0;
    const snapshot = cached?.version === version ? cached : { version, entries: (await readAll(secrets)).map(entryOf) };
    cached = snapshot;
    refreshedAt = clock.now();
    return snapshot;
  }

  /** Serves the cached credentials while the ledger is unavailable. */
  async function entries(): Promise<readonly CredentialEntry[]> {
    if (cached !== null && clock.now() - refreshedAt < CACHE_MS) return cached.entries;
    refreshing ??= refresh().finally(() => {
      refreshing = null;
    });
    try {
      return (await refreshing).entries;
    } catch (error) {
      if (cached === null) throw error;
      return cached.entries;
    }
  }

  async function publishChange(): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const version = (await secrets.get(NO_STORE, CHANGES.kind, CHANGES.key))?.version ?? "new";
      if ((await secrets.put(NO_STORE, CHANGES.kind, CHANGES.key, null, version)) === "done") break;
    }
    refreshedAt = Number.NEGATIVE_INFINITY;
  }

  return {
    entries,
    /** @throws CheckoutError `configuration_invalid`, `ledger_busy` */
    async put(entry: CredentialEntry): Promise<void> {
      const rows = await readAll(secrets);
      const existing = rows.find(({ key }) => key === entry.id);
      if (existing) assertSameKindOfKey(entryOf(existing), entry);
      const others = rows.filter(({ key }) => key !== entry.id);
      assertEndpointsAreNotMixed([entry, ...others.map(entryOf)]);
      await write(entry, existing?.version ?? "new");
      for (const other of others) await removeStoresOf(entry, other);
      await publishChange();
    },
    async remove(id: string): Promise<void> {
      const row = await secrets.get(NO_STORE, KIND, id);
      if (row && (await secrets.remove(NO_STORE, KIND, id, row.version)) === "stale") throw concurrentChangeError();
      await publishChange();
    },
  };

  async function write(entry: CredentialEntry, expect: number | "new"): Promise<void> {
    const value = { ...entry, putAt: clock.now() };
    if ((await secrets.put(NO_STORE, KIND, entry.id, value, expect)) === "stale") throw concurrentChangeError();
  }

  async function removeStoresOf(newEntry: CredentialEntry, row: RecordRow): Promise<void> {
    const entry = entryOf(row);
    const storeIds = entry.storeIds.filter((storeId) => !newEntry.storeIds.includes(storeId));
    if (entry.environment !== newEntry.environment || storeIds.length === entry.storeIds.length) return;
    await secrets.put(NO_STORE, KIND, row.key, { ...(row.value as object), storeIds }, row.version);
  }
}

// Two processes may have added the same store at the same time. The newer entry comes first, so it is the one that counts.
async function readAll(secrets: Records): Promise<readonly RecordRow[]> {
  const rows: RecordRow[] = [];
  for (let page: readonly RecordRow[] = []; rows.length === 0 || page.length === PAGE_SIZE; ) {
    const last = rows.at(-1);
    const after = last === undefined ? {} : { after: { storeId: last.storeId, key: last.key } };
    page = await secrets.list({ kind: KIND, storeId: NO_STORE, limit: PAGE_SIZE, ...after });
    if (page.length === 0) break;
    rows.push(...page);
  }
  return rows.sort((left, right) => putAtOf(right) - putAtOf(left) || (left.key < right.key ? -1 : 1));
}

function putAtOf({ value }: RecordRow): number {
  return (value as { putAt: number }).putAt;
}

function entryOf({ value }: RecordRow): CredentialEntry {
  const { putAt: _, ...entry } = value as CredentialEntry & { putAt: number };
  return entry;
}

/** Payments refer to their credential by id, so an id must keep its environment and account. */
function assertSameKindOfKey(before: CredentialEntry, now: CredentialEntry): void {
  if (before.environment === now.environment && before.account === now.account) return;
  throw invalid(
    `The id "${now.id}" belongs to a key of another environment or account (${before.environment}): set a different id, or none.`,
  );
}

function concurrentChangeError(): CheckoutError {
  const message =
    "Another process changed this credential at the same time: check the list of credentials and try again.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}
