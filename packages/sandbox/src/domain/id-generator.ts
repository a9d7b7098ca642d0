import { createHash, randomBytes, randomUUID } from "node:crypto";

/** Creates every identifier and secret of the sandbox. */
export type IdGenerator = {
  uuid(): string;
  /** A prefix and 14 characters without look-alikes, such as `txn_8QW3ER5TYU7KPA`. */
  prefixed(prefix: "txn" | "cs" | "wh" | "cus" | "pi" | "ext" | "wv"): string;
  apiKey(kind: "sk" | "pk", environment: "test" | "live"): string;
  webhookSecret(): string;
  /** The id of a Member Account: `acct_…`. */
  accountId(): string;
  /** The token in the link of an invite. */
  inviteToken(): string;
};

/** Without a seed the ids are random. The same seed gives the same sequence, so tests can predict ids. */
export function createIdGenerator(seed?: string): IdGenerator {
  const bytes = seed === undefined ? randomBytes : seededBytes(seed);
  return {
    uuid: () => (seed === undefined ? randomUUID() : formatUuid(bytes(16))),
    prefixed: (prefix) => `${prefix}_${Array.from(bytes(14), (byte) => unambiguousAlphabet[byte & 31]).join("")}`,
    apiKey: (kind, environment) => `svc_${kind}_${environment}_${randomText(bytes, alphanumeric, 32)}`,
    webhookSecret: () => `whsec_${bytes(16).toString("hex")}`,
    accountId: () => `acct_${randomText(bytes, smallAlphanumeric, 16)}`,
    inviteToken: () => randomText(bytes, alphanumeric, 32),
  };
}

/** 32 characters, so the lowest five bits of a byte select one of them. */
const unambiguousAlphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const smallAlphanumeric = "abcdefghijklmnopqrstuvwxyz0123456789";

function randomText(bytes: (size: number) => Buffer, letters: string, length: number): string {
  // Bytes from the largest multiple of the alphabet's length on are skipped: they would make its first letters more likely.
  const firstSkipped = 256 - (256 % letters.length);
  let text = "";
  while (text.length < length) {
    for (const byte of bytes(48)) {
      if (byte < firstSkipped && text.length < length) text += letters[byte % letters.length];
    }
  }
  return text;
}

function formatUuid(bytes: Buffer): string {
  // The bits of version 4 and of the variant, as in RFC 9562.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

function seededBytes(seed: string): (size: number) => Buffer {
  let count = 0;
  return function nextBytes(size) {
    const blocks: Buffer[] = [];
    for (let length = 0; length < size; length += 32) {
      blocks.push(createHash("sha256").update(`${seed}:${count++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, size);
  };
}
