import { zipSync } from "fflate";

export type ZipFile = {
  /** Path inside the archive, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
};

const UNIX = 3;
const READABLE_FILE = 0o100644 * 0x10000;

/**
 * Builds a reproducible ZIP archive: its files are sorted by path, have the same time and permissions, and are not compressed, because
 * versions of compressors differ.
 */
export function zip(files: readonly ZipFile[]): Uint8Array {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const entries = sorted.map(({ path, bytes }) => [path, bytes] as const);
  // A ZIP stores local time, so this date is in local time too.
  const mtime = new Date(1980, 0, 1);
  return zipSync(Object.fromEntries(entries), { level: 0, mtime, os: UNIX, attrs: READABLE_FILE });
}
