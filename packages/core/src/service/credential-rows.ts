import { CheckoutError } from "../domain/checkout-error.ts";
import type { RecordRow, Records } from "../ports/records.ts";
import type { CredentialEntry } from "./credential-config.ts";

/** A credential may belong to several stores, so its rows belong to no store. */
const NO_STORE = "";
const CREDENTIAL = "credential";
const STORE_INDEX = "credentials-of-store";
const ENDPOINT_INDEX = "credentials-of-endpoint";
const CHANGES = "credential-changes";
/** The key of the only row of the kind `CHANGES`. */
const ALL = "all";
const PAGE_SIZE = 200;
const MAX_ATTEMPTS = 8;

/** The id of a store's credential in each environment. */
export type CredentialsOfStore = { readonly test?: string; readonly live?: string };

/** The ids of the credentials of an endpoint, newest first. */
export type CredentialsOfEndpoint = readonly string[];

export type Version = number | "new";

/** The rows of credentials, indexed by id, by store and by endpoint: a lookup reads one row, however many credentials there are. */
export function createCredentialRows(secrets: Records) {
  return {
    async credential(id: string) {
      const row = await secrets.get(NO_STORE, CREDENTIAL, id);
      return row && { entry: entryOf(row.value), putAt: putAtOf(row), version: row.version };
    },
    writeCredential: (entry: CredentialEntry, putAt: number, expect: Version) =>
      secrets.put(NO_STORE, CREDENTIAL, entry.id, { ...entry, putAt }, expect),
    removeCredential: (id: string, version: number) => secrets.remove(NO_STORE, CREDENTIAL, id, version),
    async all(): Promise<readonly CredentialEntry[]> {
      const rows = await readAll(secrets);
      return rows.map(({ value }) => entryOf(value));
    },
    async ofStore(storeId: string): Promise<CredentialsOfStore> {
      const row = await secrets.get(NO_STORE, STORE_INDEX, storeId);
      return (row?.value ?? {}) as CredentialsOfStore;
    },
    changeOfStore: (storeId: string, change: (ids: CredentialsOfStore) => CredentialsOfStore) =>
      changeRow(secrets, STORE_INDEX, storeId, (value) => change((value ?? {}) as CredentialsOfStore)),
    async ofEndpoint(endpointId: string): Promise<CredentialsOfEndpoint> {
      const row = await secrets.get(NO_STORE, ENDPOINT_INDEX, endpointId);
      return (row?.value ?? []) as CredentialsOfEndpoint;
    },
    changeOfEndpoint: (endpointId: string, change: (ids: CredentialsOfEndpoint) => CredentialsOfEndpoint) =>
      changeRow(secrets, ENDPOINT_INDEX, endpointId, (value) => change((value ?? []) as CredentialsOfEndpoint)),
    /** `version` grows with every change, so a process detects the changes of other processes by reading one row. */
    async changes() {
      const row = await secrets.get(NO_STORE, CHANGES, ALL);
      return row && { version: row.version, isIndexed: row.value !== null };
    },
    /** The answer `stale` is ignored: another process has published a change just now, so the version has grown. */
    async publishChange(): Promise<void> {
      const row = await secrets.get(NO_STORE, CHANGES, ALL);
      await secrets.put(NO_STORE, CHANGES, ALL, { isIndexed: true }, row?.version ?? "new");
    },
  };
}

export type CredentialRows = ReturnType<typeof createCredentialRows>;

/** Changes a row under its version, and tries again when another process changes the row in between. */
async function changeRow(secrets: Records, kind: string, key: string, change: (value: unknown) => unknown) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const row = await secrets.get(NO_STORE, kind, key);
    const value = change(row?.value);
    if ((await secrets.put(NO_STORE, kind, key, value, row?.version ?? "new")) === "done") return;
  }
  throw concurrentChangeError();
}

/** All credentials, newest first. */
async function readAll(secrets: Records): Promise<readonly RecordRow[]> {
  const rows: RecordRow[] = [];
  let page: readonly RecordRow[];
  do {
    const last = rows.at(-1);
    const after = last === undefined ? {} : { after: { storeId: last.storeId, key: last.key } };
    page = await secrets.list({ kind: CREDENTIAL, storeId: NO_STORE, limit: PAGE_SIZE, ...after });
    rows.push(...page);
  } while (page.length === PAGE_SIZE);
  return rows.sort((left, right) => putAtOf(right) - putAtOf(left) || (left.key < right.key ? -1 : 1));
}

function putAtOf({ value }: { readonly value: unknown }): number {
  return (value as { putAt: number }).putAt;
}

function entryOf(value: unknown): CredentialEntry {
  const { putAt: _, ...entry } = value as CredentialEntry & { putAt: number };
  return entry;
}

export function concurrentChangeError(): CheckoutError {
  const message =
    "Another process changed this credential at the same time: check the list of credentials and try again.";
  return new CheckoutError("ledger_busy", message, { retryable: true });
}
