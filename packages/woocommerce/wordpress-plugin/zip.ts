import { crc32 } from "node:zlib";

export type ZipFile = {
  /** Path inside the archive, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
};

/**
 * Builds a reproducible ZIP archive: sorted by path, without times and owners, and uncompressed because zlib versions compress
 * differently.
 */
export function zip(files: readonly ZipFile[]): Uint8Array {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of sorted) {
    const name = Buffer.from(path);
    const header = fileHeader(name, bytes);
    bodies.push(numbers([4, 0x04034b50]), header, name, Buffer.from(bytes));
    directory.push(numbers([4, 0x02014b50], [2, MADE_BY_UNIX]), header, fileLocation(offset), name);
    offset += 4 + header.length + name.length + bytes.length;
  }
  const list = Buffer.concat(directory);
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, sorted.length],
    [2, sorted.length],
    [4, list.length],
    [4, offset],
    [2, 0],
  );
  return Buffer.concat([...bodies, list, end]);
}

/** The fields that the local header and the directory entry of a file share. */
function fileHeader(name: Buffer, bytes: Uint8Array): Buffer {
  return numbers(
    [2, 20],
    [2, NAMES_ARE_UTF8],
    [2, STORED],
    [2, 0],
    [2, FIRST_OF_JANUARY_1980],
    [4, crc32(bytes)],
    [4, bytes.length],
    [4, bytes.length],
    [2, name.length],
    [2, 0],
  );
}

function fileLocation(offset: number): Buffer {
  return numbers([2, 0], [2, 0], [2, 0], [4, READABLE_FILE], [4, offset]);
}

const MADE_BY_UNIX = (3 << 8) | 20;
const NAMES_ARE_UTF8 = 0x0800;
const STORED = 0;
const FIRST_OF_JANUARY_1980 = (1 << 5) | 1;
const READABLE_FILE = 0o100644 * 0x10000;

/** Little-endian numbers of 2 or 4 bytes. */
function numbers(...fields: readonly (readonly [size: 2 | 4, value: number])[]): Buffer {
  const parts = fields.map(([size, value]) => {
    const part = Buffer.alloc(size);
    part.writeUIntLE(value, 0, size);
    return part;
  });
  return Buffer.concat(parts);
}
