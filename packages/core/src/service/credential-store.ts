import { CheckoutError } from "../domain/checkout-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { RecordRow, Records } from "../ports/records.ts";
import { assertEndpointsAreNotMixed, type CredentialEntry, invalid } from "./credential-config.ts";

/** Credentials belong to several stores: their rows belong to none. */
const NO_STORE = "";
const KIND = "credential";
/** One row whose version grows with every change, so that whoever looks for changes reads one row. */
const CHANGES = { kind: "credential-changes", key: "all" } as const;
const LOOK_AGAIN_MS = 5_000;
const ROWS_AT_ONCE = 200;
const ROUNDS = 8;

type Kept = { readonly version: number; readonly entries: readonly CredentialEntry[] };

/** Credentials as rows of a ledger's secrets, remembered until another process changed one. */
export function createCredentialStore(secrets: Records, clock: Clock) {
  let known: Kept | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<Kept> | null = null;

  async function look(): Promise<Kept> {
    const version = (await secrets.get(NO_STORE, CHANGES.kind, CHANGES.key))?.version ?? 0;
    const kept = known?.version === version ? known : { version, entries: (await readAll(secrets)).map(entryOf) };
    known = kept;
    lookedAt = clock.now();
    return kept;
  }

  /** A ledger that fails for a moment makes nobody forget what is known. */
  async function entries(): Promise<readonly CredentialEntry[]> {
    if (known !== null && clock.now() - lookedAt < LOOK_AGAIN_MS) return known.entries;
    looking ??= look().finally(() => {
      looking = null;
    });
    try {
      return (await looking).entries;
    } catch (error) {
      if (known === null) throw error;
      return known.entries;
    }
  }

  async function tellOthers(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const version = (await secrets.get(NO_STORE, CHANGES.kind, CHANGES.key))?.version ?? "new";
      if ((await secrets.put(NO_STORE, CHANGES.kind, CHANGES.key, null, version)) === "done") break;
    }
    lookedAt = Number.NEGATIVE_INFINITY;
  }

  return {
    entries,
    /** @throws CheckoutError `configuration_invalid`, `ledger_busy` */
    async put(entry: CredentialEntry): Promise<void> {
      const rows = await readAll(secrets);
      const own = rows.find(({ key }) => key === entry.id);
      if (own) assertSameKindOfKey(entryOf(own), entry);
      const others = rows.filter(({ key }) => key !== entry.id);
      assertEndpointsAreNotMixed([entry, ...others.map(entryOf)]);
      await write(entry, own?.version ?? "new");
      for (const other of others) await giveWay(other, entry);
      await tellOthers();
    },
    async remove(id: string): Promise<void> {
      const own = await secrets.get(NO_STORE, KIND, id);
      if (own && (await secrets.remove(NO_STORE, KIND, id, own.version)) === "stale") throw changedMeanwhile();
      await tellOthers();
    },
  };

  async function write(entry: CredentialEntry, expect: number | "new"): Promise<void> {
    const value = { ...entry, putAt: clock.now() };
    if ((await secrets.put(NO_STORE, KIND, entry.id, value, expect)) === "stale") throw changedMeanwhile();
  }

  async function giveWay(row: RecordRow, { storeIds: taken, environment }: CredentialEntry): Promise<void> {
    const entry = entryOf(row);
    const storeIds = entry.storeIds.filter((storeId) => !taken.includes(storeId));
    if (entry.environment !== environment || storeIds.length === entry.storeIds.length) return;
    await secrets.put(NO_STORE, KIND, row.key, { ...(row.value as object), storeIds }, row.version);
  }
}

// Two processes that put at once may both have claimed a store: the later one comes first, and is found.
async function readAll(secrets: Records): Promise<readonly RecordRow[]> {
  const rows: RecordRow[] = [];
  for (let page: readonly RecordRow[] = []; rows.length === 0 || page.length === ROWS_AT_ONCE; ) {
    const last = rows.at(-1);
    const after = last === undefined ? {} : { after: { storeId: last.storeId, key: last.key } };
    page = await secrets.list({ kind: KIND, storeId: NO_STORE, limit: ROWS_AT_ONCE, ...after });
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

/** Payments name their credential by id: under it nothing else may be read than before. */
function assertSameKindOfKey(before: CredentialEntry, now: CredentialEntry): void {
  if (before.environment === now.environment && before.account === now.account) return;
  throw invalid(
    `The id "${now.id}" belongs to a ${before.environment} key with open payments: give the new one an id of its own, or none.`,
  );
}

function changedMeanwhile(): CheckoutError {
  const message = "This credential was changed by somebody else at the same moment: look again, then decide.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}
