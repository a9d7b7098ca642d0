import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { busyDeadline, isBusy, isOver } from "./busy.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 30_000;

export type LogTruncation = {
  /** Tries once, and while another connection reads or writes again in the background. */
  request(): Promise<void>;
  /** Gives a truncation that waits for a reader five seconds more. */
  close(): Promise<void>;
};

/**
 * Empties the write-ahead log. It keeps every earlier version of a page until a checkpoint, and its file even longer, so that what was
 * deleted can be read there. A checkpoint blocks the thread while it writes to the disk, so each of its two steps has a turn of the
 * event loop of its own, and no webhook waits for more than one of them.
 */
export function createLogTruncation<Schema>(db: Kysely<Schema>, handle: SqliteHandle): LogTruncation {
  const closing = new AbortController();
  let pending: Promise<void> | null = null;

  async function tryOnce(): Promise<boolean> {
    // Passive: writes what it can and disturbs nobody. What is left for the second step, which excludes writers, is little.
    await db.connection().execute(async () => checkpoint(handle, "passive"));
    await nextTurn();
    return await db.connection().execute(async () => checkpoint(handle, "truncate"));
  }

  async function repeat(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !closing.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      if (await tryOnce().catch(() => false)) return;
    }
    const deadline = busyDeadline();
    while (!isOver(deadline)) {
      await sleep(FIRST_PAUSE_MS);
      if (await tryOnce().catch(() => false)) return;
    }
  }

  return {
    async request() {
      if (await tryOnce()) return;
      pending ??= repeat().finally(() => {
        pending = null;
      });
    },
    async close() {
      closing.abort();
      await pending;
    },
  };
}

/** Whether the checkpoint reached the end of the log. */
function checkpoint(handle: SqliteHandle, mode: "passive" | "truncate"): boolean {
  try {
    const [row] = handle.prepare(`pragma wal_checkpoint(${mode})`).all() as { readonly busy: number }[];
    return row?.busy === 0;
  } catch (error) {
    if (isBusy(error) || isReadHere(error)) return false;
    throw error;
  }
}

/** SQLite's result code "locked": a statement of this connection has not read its last row yet. */
function isReadHere(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 6;
}
