import type { Clock } from "@tillkit/core";

/** Medusa's own limits: how long a request waits for a cart's lock, and when a lock expires. Milliseconds. */
const LOCK_WAIT_MS = 30_000;
const LOCK_LIFE_MS = 120_000;

type Lock = { readonly expiresAt: number; readonly released: Promise<void>; readonly release: () => void };

/** One lock per cart. `run` returns `"busy"` if the cart stayed locked for 30 seconds. */
export type CartLock = { run<Value>(cartId: string, work: () => Promise<Value>): Promise<Value | "busy"> };

export function createCartLock(clock: Clock): CartLock {
  const locks = new Map<string, Lock>();

  async function take(cartId: string): Promise<Lock | null> {
    const giveUpAt = clock.now() + LOCK_WAIT_MS;
    for (;;) {
      const current = locks.get(cartId);
      const now = clock.now();
      if (current === undefined || current.expiresAt <= now) break;
      if (giveUpAt <= now) return null;
      await waitForRelease(clock, current, Math.min(giveUpAt, current.expiresAt) - now);
    }
    const lock = newLock(clock.now() + LOCK_LIFE_MS);
    locks.set(cartId, lock);
    return lock;
  }

  return {
    run: async (cartId, work) => {
      const lock = await take(cartId);
      if (!lock) return "busy";
      try {
        return await work();
      } finally {
        // After the lock expired, another request may hold a newer lock, which must not be deleted.
        if (locks.get(cartId) === lock) locks.delete(cartId);
        lock.release();
      }
    },
  };
}

function newLock(expiresAt: number): Lock {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { expiresAt, released, release };
}

async function waitForRelease(clock: Clock, lock: Lock, ms: number): Promise<void> {
  const abortController = new AbortController();
  const timeout = clock.sleep(ms, abortController.signal).catch(() => {});
  await Promise.race([lock.released, timeout]);
  abortController.abort("released");
}
