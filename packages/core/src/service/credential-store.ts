import type { Environment } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { Records } from "../ports/records.ts";
import { createCredentialCache } from "./credential-cache.ts";
import { assertEndpointsAreNotMixed, type CredentialEntry, configurationError } from "./credential-config.ts";
import { type CredentialRows, concurrentChangeError, createCredentialRows } from "./credential-rows.ts";

/** Credentials as rows of a ledger's secrets. Changes of other processes are seen within five seconds. */
export function createCredentialStore(secrets: Records, clock: Clock) {
  const rows = createCredentialRows(secrets);
  const cache = createCredentialCache(() => indexedVersion(rows), clock);

  const byId = (id: string) => cache.read(`id ${id}`, async () => (await rows.credential(id))?.entry ?? null);

  async function byIds(ids: readonly string[]): Promise<readonly CredentialEntry[]> {
    const entries = await Promise.all(ids.map(byId));
    return entries.filter((entry) => entry !== null);
  }

  return {
    byId,
    /** At most one credential for each environment. */
    async ofStore(storeId: string): Promise<readonly CredentialEntry[]> {
      const ids = await cache.read(`store ${storeId}`, async () => nullIfEmpty(idsOf(await rows.ofStore(storeId))));
      const entries = await byIds(ids ?? []);
      return entries.filter(({ storeIds }) => storeIds.includes(storeId));
    },
    /** Newest first. */
    async ofEndpoint(endpointId: string): Promise<readonly CredentialEntry[]> {
      const ids = await cache.read(`endpoint ${endpointId}`, async () =>
        nullIfEmpty(await rows.ofEndpoint(endpointId)),
      );
      const entries = await byIds(ids ?? []);
      return entries.filter((entry) => entry.endpointId === endpointId);
    },
    all: rows.all,
    /** @throws CheckoutError `configuration_invalid`, `ledger_busy` */
    async put(entry: CredentialEntry): Promise<void> {
      await indexedVersion(rows);
      const before = await rows.credential(entry.id);
      if (before) assertSameKindOfKey(before.entry, entry);
      assertEndpointsAreNotMixed([entry, ...(await othersOfEndpoint(rows, entry))]);
      const written = await rows.writeCredential(entry, clock.now(), before?.version ?? "new");
      if (written === "stale") throw concurrentChangeError();
      if (before) await removeFromIndex(rows, before.entry, entry);
      await addToIndex(rows, entry);
      await rows.publishChange();
      cache.expire();
    },
    async remove(id: string): Promise<void> {
      const row = await rows.credential(id);
      if (!row) return;
      if ((await rows.removeCredential(id, row.version)) === "stale") throw concurrentChangeError();
      await removeFromIndex(rows, row.entry, null);
      await rows.publishChange();
      cache.expire();
    },
  };
}

/** The version of all credentials. A ledger of an older version, which has credentials without an index, gets its index here. */
async function indexedVersion(rows: CredentialRows): Promise<number> {
  const changes = await rows.changes();
  if (changes === null || changes.isIndexed) return changes?.version ?? 0;
  // Oldest first, so that a store belongs to the newest of its credentials, and an endpoint lists the newest first.
  for (const entry of (await rows.all()).toReversed()) await addToIndex(rows, entry);
  await rows.publishChange();
  return await indexedVersion(rows);
}

async function othersOfEndpoint(rows: CredentialRows, { id, endpointId }: CredentialEntry) {
  const others: CredentialEntry[] = [];
  for (const other of await rows.ofEndpoint(endpointId)) {
    const row = other === id ? null : await rows.credential(other);
    if (row && row.entry.endpointId === endpointId) others.push(row.entry);
  }
  return others;
}

/** Puts the entry first in the list of its endpoint, and moves its stores to it from their former credentials. */
async function addToIndex(rows: CredentialRows, { id, environment, endpointId, storeIds }: CredentialEntry) {
  await rows.changeOfEndpoint(endpointId, (ids) => [id, ...ids.filter((other) => other !== id)]);
  for (const storeId of storeIds) {
    let formerId: string | undefined;
    await rows.changeOfStore(storeId, (ids) => {
      formerId = ids[environment];
      return { ...ids, [environment]: id };
    });
    if (formerId !== undefined && formerId !== id) await removeStore(rows, formerId, storeId);
  }
}

/** Removes the endpoint and the stores that `before` had and `next` does not have. */
async function removeFromIndex(rows: CredentialRows, before: CredentialEntry, next: CredentialEntry | null) {
  const { id, environment, endpointId } = before;
  if (endpointId !== next?.endpointId) {
    await rows.changeOfEndpoint(endpointId, (ids) => ids.filter((other) => other !== id));
  }
  for (const storeId of before.storeIds.filter((store) => !next?.storeIds.includes(store))) {
    await rows.changeOfStore(storeId, (ids) => (ids[environment] === id ? withoutEnvironment(ids, environment) : ids));
  }
}

/** A replaced credential stays, without the store, to read the payments that it opened. */
async function removeStore(rows: CredentialRows, id: string, storeId: string): Promise<void> {
  const former = await rows.credential(id);
  if (!former?.entry.storeIds.includes(storeId)) return;
  const storeIds = former.entry.storeIds.filter((other) => other !== storeId);
  await rows.writeCredential({ ...former.entry, storeIds }, former.putAt, former.version);
}

function withoutEnvironment<T extends object>(ids: T, environment: Environment): T {
  return Object.fromEntries(Object.entries(ids).filter(([name]) => name !== environment)) as T;
}

function idsOf({ test, live }: { readonly test?: string; readonly live?: string }): readonly string[] {
  return [test, live].filter((id) => id !== undefined);
}

// The cache does not keep null, so the stores and endpoints that nobody has configured cannot fill it.
function nullIfEmpty(ids: readonly string[]): readonly string[] | null {
  return ids.length === 0 ? null : ids;
}

/** Payments refer to their credential by id, so an id must keep its environment and account. */
function assertSameKindOfKey(before: CredentialEntry, now: CredentialEntry): void {
  if (before.environment === now.environment && before.account === now.account) return;
  throw configurationError(
    `The id "${now.id}" belongs to a key of another environment or account (${before.environment}): set a different id, or none.`,
  );
}
