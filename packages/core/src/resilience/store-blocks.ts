import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import {
  askAgainAt,
  type BlockRecords,
  createRecordsOfProcess,
  createStoredBlocks,
  isBlocked,
  NO_BLOCK,
  probeTime,
  type Refusal,
  refusalAt,
  type StoreBlock,
} from "./stored-blocks.ts";

/**
 * A store may refuse our writes and answer our reads, or refuse only what it is told besides payments (`write`): no payment waits for that.
 */
export type StoreCallKind = keyof StoreBlock["refusals"];

/**
 * The stores that refuse us: the plug-in is off, a firewall blocks us, a token is revoked. Most of them answer again by themselves, so
 * nothing is given up: one call at a time probes the store for all processes that share the ledger, and every other call waits for it.
 */
export type StoreBlocks = {
  /** Whether this store refuses us, as far as this process knows. */
  isKnown(storeId: string): boolean;
  /**
   * Whether the caller may call the store now; otherwise when it asks again. The first caller after the time of the next probe makes it
   * (`probe`), and its payment's calls pass until one of them ends. `isProbed`: somebody else makes it right now.
   */
  ask(
    storeId: string,
    kind: StoreCallKind,
    paymentId: string,
  ): Promise<"call" | "probe" | { readonly askAgainAt: number; readonly isProbed: boolean }>;
  /** The store refused a call: when to ask again. */
  refused(storeId: string, kind: StoreCallKind): Promise<number>;
  answered(storeId: string, kind: StoreCallKind): Promise<void>;
  /** The store gave a sign of life, such as a signed request, or a person of it did: it is probed at once. */
  gaveSign(storeId: string): Promise<void>;
  /** Nobody waits for this store any more: it has left. */
  forget(storeId: string): Promise<void>;
};

export function createStoreBlocks(
  records: BlockRecords | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): StoreBlocks {
  const stored = createStoredBlocks(records ?? createRecordsOfProcess(), { clock, log });
  const { known, change } = stored;
  const probes = new Map<string, { readonly paymentId: string; readonly until: number }>();

  function isProbing(storeId: string, paymentId: string): boolean {
    const probe = probes.get(storeId);
    return probe !== undefined && probe.paymentId === paymentId && clock.now() < probe.until;
  }

  return {
    isKnown: (storeId) => known.has(storeId),
    async ask(storeId, kind, paymentId) {
      if (stored.isRead(storeId) && !known.has(storeId)) return "call";
      if (isProbing(storeId, paymentId)) return "call";
      const { block, version } = await stored.read(storeId);
      const refusal = block.refusals[kind];
      const now = clock.now();
      if (!known.has(storeId) || refusal === undefined) return "call";
      if (now < probeTime(refusal, now)) return { askAgainAt: askAgainAt(refusal, now), isProbed: false };
      // Others wait for this probe, but not longer than a call may take.
      const until = now + limits.storeCallMs;
      const claimed = { ...block, probedUntil: until };
      const isProbed = now < block.probedUntil && block.probedUntil <= until + limits.clockSkewMs;
      if (isProbed || !(await stored.put(storeId, claimed, version))) {
        return { askAgainAt: now + limits.breakerProbeMs, isProbed: true };
      }
      probes.set(storeId, { paymentId, until });
      return "probe";
    },
    async refused(storeId, kind) {
      probes.delete(storeId);
      if (!known.has(storeId)) log.warn("store.refuses", { storeId });
      known.add(storeId);
      const now = clock.now();
      let refusal: Refusal = refusalAt(now, undefined);
      await change(storeId, (block) => {
        const isNew = !isBlocked(block, now);
        const { since, refusals } = isNew ? { since: now, refusals: {} } : block;
        refusal = refusalAt(now, isNew ? undefined : block.refusals[kind]);
        // A refusal of the future was noted while the clock was ahead.
        return {
          since: Math.min(since, now),
          endedAt: null,
          probedUntil: 0,
          refusals: { ...refusals, [kind]: refusal },
        };
      });
      return askAgainAt(refusal, now);
    },
    async answered(storeId, kind) {
      if (!known.has(storeId)) return;
      const now = clock.now();
      await change(storeId, (block) => {
        const { [kind]: ended, ...others } = block.refusals;
        if (ended === undefined || block.endedAt !== null) return null;
        probes.delete(storeId);
        // A store that takes one kind of call again gave a sign of life.
        const endedAt = Object.keys(others).length === 0 ? now : null;
        return { ...block, endedAt, probedUntil: 0, refusals: soon(others, now) };
      });
    },
    async gaveSign(storeId) {
      const now = clock.now();
      await change(storeId, (block) =>
        isBlocked(block, now) ? { ...block, refusals: soon(block.refusals, now) } : null,
      );
    },
    async forget(storeId) {
      await change(storeId, (block) => (isBlocked(block, clock.now()) ? NO_BLOCK : null));
    },
  };
}

// A busy shop that refuses us gives many signs: not each of them is worth a probe.
function soon(refusals: StoreBlock["refusals"], now: number): StoreBlock["refusals"] {
  const entries = Object.entries(refusals).map(([kind, { since, at, probeAt }]) => [
    kind,
    { since, at, probeAt: Math.min(probeAt, Math.max(now, at + limits.signProbeMs)) },
  ]);
  return Object.fromEntries(entries);
}
