import type { Clock, Environment, Language } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";
import type { StoreState } from "../store-state.ts";

/** A store that its owner connected. Its secrets are elsewhere, encrypted. Times in milliseconds since 1970. */
export type RegisteredStore = {
  readonly storeId: string;
  /** The address of the shop, without a slash at the end. */
  readonly address: string;
  readonly name: string | null;
  readonly currencies: readonly string[];
  readonly language: Language;
  /** The version of the plug-in, as it last named it; null where it has not. */
  readonly pluginVersion: string | null;
  readonly state: StoreState;
  readonly stateSince: number;
  readonly connectedAt: number;
  /** When the shop got its present link secret. Whoever opened the owner's pages before must open them again. */
  readonly linkedAt: number;
};

export type StoreRegistry = {
  find(storeId: string): Promise<RegisteredStore | null>;
  /** The store that holds the address; null where nobody does. */
  findByAddress(address: string): Promise<RegisteredStore | null>;
  /**
   * Adds a store (`before` is null), or replaces the one that the caller read before. It then holds its address and no former one. `taken`:
   * another store holds the address. `changed`: an operator or another process changed the store meanwhile. Both change nothing. Call it
   * only after the shop at this address has proved that its owner wants it.
   */
  put(store: RegisteredStore, before: RegisteredStore | null): Promise<"done" | "taken" | "changed">;
  /**
   * Moves a store to another state if `from` names its present one, and returns the store as it is then. A store that has left releases
   * its address.
   */
  change(storeId: string, from: readonly StoreState[], to: StoreState): Promise<RegisteredStore | null>;
  /** Stores sorted by id. `after` is the id of the last store of the previous page. */
  list(page: { readonly after?: string; readonly limit: number }): Promise<readonly RegisteredStore[]>;
  /** The ids of all stores that have not left. */
  ids(): Promise<readonly string[]>;
};

/** Whether shoppers may start payments. */
export function takesPayments({ state }: Pick<RegisteredStore, "state">): boolean {
  return state === "connected";
}

/** Whether payments in progress are finished and calls of the shop are answered. */
export function isServed({ state }: Pick<RegisteredStore, "state">): boolean {
  return state !== "left";
}

/** The rows belong to the server: those of one kind under one store are found without reading the rows of other kinds. */
const SERVER = "";
const STORE = "registered-store";
/** Each row names the store that holds an address. */
const ADDRESS = "store-address";

export function createStoreRegistry(records: Records, clock: Clock): StoreRegistry {
  const read = async (storeId: string) => toStore((await records.get(SERVER, STORE, storeId))?.value);
  const addresses = createAddressRows(records, read);

  /** Another process took the address meanwhile, so what this one wrote is undone. */
  async function restore(storeId: string, former: RegisteredStore | null): Promise<void> {
    const written = await records.get(SERVER, STORE, storeId);
    if (written === null) return;
    if (former === null) await records.remove(SERVER, STORE, storeId, written.version);
    else await records.put(SERVER, STORE, storeId, former, written.version);
  }

  async function put(store: RegisteredStore, before: RegisteredStore | null): Promise<"done" | "taken" | "changed"> {
    const { storeId, address } = store;
    const row = await records.get(SERVER, STORE, storeId);
    const former = toStore(row?.value);
    if (!isSameState(former, before)) return "changed";
    if (!(await addresses.hold(address, storeId))) return "taken";
    if ((await records.put(SERVER, STORE, storeId, store, row?.version ?? "new")) === "stale") return "changed";
    if ((await addresses.find(address))?.storeId !== storeId) {
      await restore(storeId, former);
      return "taken";
    }
    const hasMoved = former !== null && addressKey(former.address) !== addressKey(address);
    if (hasMoved) await addresses.release(former.address, storeId);
    return "done";
  }

  async function change(storeId: string, from: readonly StoreState[], to: StoreState): Promise<RegisteredStore | null> {
    for (let attempt = 0; attempt < serverLimits.registryWriteAttempts; attempt += 1) {
      const row = await records.get(SERVER, STORE, storeId);
      const store = toStore(row?.value);
      if (row === null || store === null || !from.includes(store.state)) return store;
      const changed: RegisteredStore = { ...store, state: to, stateSince: clock.now() };
      if ((await records.put(SERVER, STORE, storeId, changed, row.version)) === "stale") continue;
      if (to === "left") await addresses.release(store.address, storeId);
      return changed;
    }
    return await read(storeId);
  }

  const list = async (page: StorePage) => await listStores(records, page);
  return { find: read, findByAddress: addresses.find, put, change, list, ids: () => listIds(list) };
}

function isSameState(one: RegisteredStore | null, other: RegisteredStore | null): boolean {
  const isSameTime = one?.state === other?.state && one?.stateSince === other?.stateSince;
  return isSameTime && one?.address === other?.address;
}

async function listStores(records: Records, { after, limit }: StorePage): Promise<readonly RegisteredStore[]> {
  const last = after === undefined ? {} : { after: { storeId: SERVER, key: after } };
  const rows = await records.list({ kind: STORE, storeId: SERVER, limit, ...last });
  return rows.map(({ value }) => toStore(value)).filter((store) => store !== null);
}

async function listIds(list: StoreRegistry["list"]): Promise<readonly string[]> {
  const found: string[] = [];
  const limit = serverLimits.rowsPerStoreList;
  for (let last: RegisteredStore | undefined; ; ) {
    const page = await list({ limit, ...(last === undefined ? {} : { after: last.storeId }) });
    found.push(...page.filter(isServed).map(({ storeId }) => storeId));
    last = page.at(-1);
    if (page.length < limit) return found;
  }
}

/** Which store holds which address. A process may end between the row of the address and the row of its store: then the address is free. */
function createAddressRows(records: Records, read: StoreRegistry["find"]) {
  const rowOf = async (address: string) => await records.get(SERVER, ADDRESS, addressKey(address));
  const write = async (address: string, storeId: string, expect: number | "new") =>
    await records.put(SERVER, ADDRESS, addressKey(address), { storeId } satisfies Holder, expect);

  async function findHolder(row: { readonly value: unknown } | null, address: string): Promise<RegisteredStore | null> {
    const store = row === null ? null : await read(holderIn(row.value));
    return store !== null && isServed(store) && addressKey(store.address) === addressKey(address) ? store : null;
  }

  return {
    find: async (address: string) => await findHolder(await rowOf(address), address),
    async hold(address: string, storeId: string): Promise<boolean> {
      const row = await rowOf(address);
      if (row !== null && holderIn(row.value) === storeId) return true;
      if ((await findHolder(row, address)) !== null) return false;
      if ((await write(address, storeId, row?.version ?? "new")) === "stale") return false;
      const former = await findHolder(row, address);
      if (former === null) return true;
      // Another process wrote the former holder meanwhile: it was first.
      const own = await rowOf(address);
      if (own !== null) await write(address, former.storeId, own.version);
      return false;
    },
    async release(address: string, storeId: string): Promise<void> {
      const row = await rowOf(address);
      if (row === null || holderIn(row.value) !== storeId) return;
      await records.remove(SERVER, ADDRESS, addressKey(address), row.version);
    },
  };
}

type StorePage = Parameters<StoreRegistry["list"]>[0];

type Holder = { readonly storeId: string };

function holderIn(value: unknown): string {
  return (value as Holder).storeId;
}

/**
 * One installation, however its address is spelled: the scheme, `www.`, the dot of a fully qualified name, `index.php`, doubled slashes and
 * needless escapes are left out, because a shop that answers at both is one shop.
 */
function addressKey(address: string): string {
  const { host, pathname } = new URL(address);
  const name = host.replace(/^www\./, "").replace(/\.(?=:\d+$|$)/, "");
  const path = pathname.replaceAll(NEEDLESS_ESCAPE, decodeURIComponent).replaceAll(/\/{2,}/g, "/");
  return `${name}${path.replace(/(?:\/index\.php)?\/*$/, "")}`;
}

/** The escapes of letters, digits, `-`, `.`, `_` and `~`. */
const NEEDLESS_ESCAPE = /%(?:2d|2e|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi;

function toStore(value: unknown): RegisteredStore | null {
  return value === undefined || value === null ? null : (value as RegisteredStore);
}

/** The last part of the webhook address of a registered store. Test and live have different addresses, so that a store keeps both keys. */
export function registeredEndpointId(storeId: string, environment: Environment): string {
  return `${storeId}-${environment}`;
}
