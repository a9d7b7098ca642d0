import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Archived, LedgerArchive, PaymentHistory } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";

const compress = promisify(gzip);

export type ArchivedHistory = Omit<Archived, "next"> & {
  /** The path of the new file. Null: there was nothing to archive. */
  readonly file: string | null;
};

/**
 * Moves webhooks and timeline entries of payments in which nothing has happened since `before` out of the ledger, into a new file of
 * `folder`: one JSON document a line, each a `PaymentHistory`, compressed with gzip. A row leaves the ledger when the disk has it, so
 * a process that dies loses nothing; the next archive writes its last rows to the next file again. Times in milliseconds since 1970.
 * @throws Error of Node when the file cannot be written; what was written before has left the ledger and is in the file
 */
export async function archiveHistory(
  ledger: LedgerArchive,
  { before, at, folder }: { readonly before: number; readonly at: number; readonly folder: string },
): Promise<ArchivedHistory> {
  const name = `tillkit-history-${new Date(at).toISOString().replaceAll(":", "-")}.jsonl.gz`;
  const file = createArchiveFile(folder, name);
  const total = { payments: 0, deliveries: 0, timelineEntries: 0 };
  try {
    const request = { before, at, name, limit: serverLimits.rowsPerArchive, write: file.write };
    let after: string | null = null;
    do {
      const archived: Archived = await ledger.archive(after === null ? request : { ...request, after });
      total.payments += archived.payments;
      total.deliveries += archived.deliveries;
      total.timelineEntries += archived.timelineEntries;
      after = archived.next;
    } while (after !== null);
  } finally {
    await file.close();
  }
  return { ...total, file: file.isEmpty() ? null : join(folder, name) };
}

/** The file is created by the first write, so that an archive of nothing leaves no file. Each write is a gzip stream of its own. */
function createArchiveFile(folder: string, name: string) {
  let file: FileHandle | undefined;
  let length = 0;

  async function openFile(): Promise<FileHandle> {
    const created = await open(join(folder, name), "wx", 0o600);
    // The name of a new file is durable once its folder is synced.
    const parent = await open(folder, "r");
    await parent.sync().finally(() => parent.close());
    return created;
  }

  return {
    isEmpty: () => length === 0,
    async write(histories: readonly PaymentHistory[]): Promise<void> {
      file ??= await openFile();
      const bytes = await compress(histories.map((history) => `${JSON.stringify(history)}\n`).join(""));
      try {
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        // A stream that was cut off, as on a full disk, would make everything behind it unreadable.
        await file.truncate(length).catch(() => {});
        throw error;
      }
      length += bytes.byteLength;
    },
    close: async () => await file?.close(),
  };
}
