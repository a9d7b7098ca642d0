import { type Clock, codeOf, type Log, type RecordRow, type Records, safeReason } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import type { Errand, ErrandEnd, Errands, KeptErrand } from "./errand.ts";

export type ErrandsOptions<State> = {
  /** Names the rows. */
  readonly kind: string;
  readonly records: Records;
  readonly clock: Clock;
  readonly log: Log;
  /** Called again after a crash: what it does must have one effect. Whatever it throws is tried again in a while. */
  readonly work: (errand: Errand<State>) => Promise<ErrandEnd<State>>;
};

type Kept<State> = Omit<KeptErrand<State>, "key">;

/** The row of an errand, and what of the queue points at it. */
type Place = { readonly storeId: string; readonly key: string };

/** The queue belongs to no store: sorted by its key it is sorted by time. */
const NO_STORE = "";

/**
 * Work that a platform keeps beside the engine's, in the ledger's records: it survives a crash at any point, and of several
 * processes on one ledger one at a time does it. An entry of the queue is written before the row it points at, and an entry
 * that does not name its row's time is nobody's any more.
 */
export function createErrands<State>({ kind, records, clock, log, work }: ErrandsOptions<State>): Errands<State> {
  const queue = `${kind}-due`;

  async function read({ storeId, key }: Place): Promise<{ kept: Kept<State>; version: number } | null> {
    const row = await records.get(storeId, kind, key);
    return row && { kept: row.value as Kept<State>, version: row.version };
  }

  async function write({ storeId, key }: Place, kept: Kept<State>, expect: number | "new"): Promise<boolean> {
    if (kept.dueAt !== null) await records.put(NO_STORE, queue, entryKey(kept.dueAt, { storeId, key }), null, "new");
    return (await records.put(storeId, kind, key, kept, expect)) === "done";
  }

  async function runOne(entry: RecordRow): Promise<boolean> {
    const { dueAt, place } = readEntry(entry.key);
    const row = await read(place);
    const now = clock.now();
    if (row === null || row.kept.dueAt !== dueAt) {
      // Written for a row that is about to be, or left over from one that moved on.
      if (dueAt + hostLimits.errandLeaseMs < now) await records.remove(NO_STORE, queue, entry.key, entry.version);
      return false;
    }
    const leased = { ...row.kept, tries: row.kept.tries + 1, dueAt: now + hostLimits.errandLeaseMs };
    if (!(await write(place, leased, row.version))) return false;
    const end = await attempt({ ...place, state: leased.state, tries: leased.tries }, leased.tries);
    const next = afterwards(leased, end, clock.now());
    await write(place, next, row.version + 1);
    // Unless it goes on at that very time: its entry is the one that names it.
    const isOver = (key: string) => next.dueAt === null || key !== entryKey(next.dueAt, place);
    const entries = [entry.key, entryKey(leased.dueAt, place)].filter(isOver);
    for (const key of entries) await records.remove(NO_STORE, queue, key, 1);
    return true;
  }

  async function attempt(errand: Errand<State>, tries: number): Promise<ErrandEnd<State>> {
    try {
      const end = await work(errand);
      if (end.say === "parked") log.error("errand.parked", { kind, storeId: errand.storeId, why: end.why });
      return end;
    } catch (error) {
      const { storeId, state } = errand;
      log.warn("errand.failed", { kind, storeId, tries, code: codeOf(error), reason: safeReason(error) });
      const waitMs = Math.min(hostLimits.errandRetryMs * 2 ** Math.min(tries - 1, 20), hostLimits.errandRetryLongestMs);
      return { say: "later", state, dueAt: clock.now() + waitMs };
    }
  }

  return {
    async add(storeId, key, state) {
      const kept = { state, tries: 0, dueAt: clock.now(), doneAt: null, why: null };
      return (await write({ storeId, key }, kept, "new")) ? "added" : "known";
    },
    async find(storeId, key) {
      const row = await read({ storeId, key });
      return row && { key, ...row.kept };
    },
    async runDue() {
      const entries = await records.list({ kind: queue, storeId: NO_STORE, limit: hostLimits.errandsARound });
      const due = entries.filter(({ key }) => readEntry(key).dueAt <= clock.now());
      const done = await inTurns(due, hostLimits.errandsAtOnce, runOne);
      return done.filter(Boolean).length;
    },
    async parked(storeId) {
      const found: KeptErrand<State>[] = [];
      for await (const { key, value } of rowsOf<State>(records, kind, storeId)) {
        if (value.why !== null) found.push({ key, ...value });
      }
      return found;
    },
    async replay(storeId, key) {
      const row = await read({ storeId, key });
      if (!row || row.kept.why === null) return;
      await write({ storeId, key }, { ...row.kept, tries: 0, dueAt: clock.now(), why: null }, row.version);
    },
    async forget(before) {
      let forgotten = 0;
      for await (const { storeId, key, value, version } of rowsOf<State>(records, kind)) {
        if (value.doneAt === null || value.doneAt >= before) continue;
        if ((await records.remove(storeId, kind, key, version)) === "done") forgotten += 1;
      }
      return forgotten;
    },
  };
}

function afterwards<State>(leased: Kept<State>, end: ErrandEnd<State>, now: number): Kept<State> {
  const { state } = end;
  if (end.say === "later") return { ...leased, state, dueAt: end.dueAt };
  if (end.say === "parked") return { ...leased, state, dueAt: null, why: end.why };
  return { ...leased, state, dueAt: null, doneAt: now };
}

function entryKey(dueAt: number, { storeId, key }: Place): string {
  return `${String(dueAt).padStart(15, "0")} ${JSON.stringify([storeId, key])}`;
}

function readEntry(entry: string): { readonly dueAt: number; readonly place: Place } {
  const [storeId, key] = JSON.parse(entry.slice(16)) as [string, string];
  return { dueAt: Number(entry.slice(0, 15)), place: { storeId, key } };
}

async function* rowsOf<State>(records: Records, kind: string, storeId?: string) {
  const limit = hostLimits.errandRowsAtOnce;
  let last: RecordRow | undefined;
  for (;;) {
    const after = last === undefined ? {} : { after: { storeId: last.storeId, key: last.key } };
    const page = await records.list({ kind, limit, ...(storeId === undefined ? {} : { storeId }), ...after });
    for (const row of page) yield { ...row, value: row.value as Kept<State> };
    last = page.at(-1);
    if (page.length < limit) return;
  }
}

/** Some at once, the others after them: an outage that ends must not become a storm. */
async function inTurns<Item, Value>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const waiting = items.values();
  const values: Value[] = [];
  async function takeTurns(): Promise<void> {
    for (const item of waiting) values.push(await work(item));
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
  return values;
}
