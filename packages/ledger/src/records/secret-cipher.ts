import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { CheckoutError } from "@tillkit/core";

/** The row of a value. A ciphertext that is moved to another row cannot be decrypted. */
export type RecordKey = { readonly storeId: string; readonly kind: string; readonly key: string };

export type SecretCipher = {
  readonly hasKey: boolean;
  encrypt(text: string, recordKey: RecordKey): string;
  /** @throws CheckoutError `secret_unreadable`, `configuration_invalid` without keys */
  decrypt(encrypted: string, recordKey: RecordKey): string;
  usesNewestKey(encrypted: string): boolean;
};

const FORMAT = "1";
const MIN_KEY_LENGTH = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID_LENGTH = 12;

type EncryptionKey = { readonly id: string; readonly bytes: Uint8Array };

/**
 * AES-256-GCM under keys that are derived from `secretKeys`, newest first. The first key encrypts, every key decrypts. The
 * format of an encrypted value is `1.<key id>.<iv, tag and ciphertext in base64url>`.
 * @throws CheckoutError `configuration_invalid` for a key that is too short
 */
export function createSecretCipher(secretKeys: readonly string[]): SecretCipher {
  const encryptionKeys = secretKeys.map(deriveKey);

  function newestKey(): EncryptionKey {
    const [first] = encryptionKeys;
    if (first !== undefined) return first;
    const message =
      "This ledger has no key to encrypt secrets with: set TILLKIT_SECRET_KEYS to a random text of at least 32 characters (openLedger's secretKeys).";
    throw new CheckoutError("configuration_invalid", message);
  }

  return {
    hasKey: encryptionKeys.length > 0,
    encrypt(text, recordKey) {
      const { id, bytes } = newestKey();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", bytes, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(additionalData(recordKey));
      const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return [FORMAT, id, Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString("base64url")].join(".");
    },
    decrypt(encrypted, recordKey) {
      // Throws when there is no encryption key at all.
      newestKey();
      const [format, id, content = ""] = encrypted.split(".");
      const encryptionKey = encryptionKeys.find((candidate) => candidate.id === id);
      if (format !== FORMAT || encryptionKey === undefined) {
        throw unreadableSecret(recordKey, "its key is not among TILLKIT_SECRET_KEYS, or its format is not known");
      }
      const bytes = Buffer.from(content, "base64url");
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv("aes-256-gcm", encryptionKey.bytes, iv, { authTagLength: TAG_BYTES })
          .setAAD(additionalData(recordKey))
          .setAuthTag(tag);
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // The original error is dropped, because it adds nothing and must not reveal the content.
        throw unreadableSecret(recordKey, "it was changed, or moved to another row");
      }
    },
    usesNewestKey: (encrypted) => encrypted.startsWith(`${FORMAT}.${newestKey().id}.`),
  };
}

function deriveKey(secret: string): EncryptionKey {
  if (secret.length < MIN_KEY_LENGTH) {
    const message = `A key in TILLKIT_SECRET_KEYS has ${secret.length} characters: make each a random text of at least ${MIN_KEY_LENGTH}.`;
    throw new CheckoutError("configuration_invalid", message);
  }
  const bytes = new Uint8Array(hkdfSync("sha256", secret, "", "tillkit secrets", KEY_BYTES));
  return { bytes, id: createHash("sha256").update("key id").update(bytes).digest("hex").slice(0, KEY_ID_LENGTH) };
}

function additionalData({ storeId, kind, key }: RecordKey): Buffer {
  return Buffer.from(JSON.stringify([storeId, kind, key]));
}

function unreadableSecret({ storeId, kind, key }: RecordKey, reason: string): CheckoutError {
  return new CheckoutError(
    "secret_unreadable",
    `The secret ${kind} "${key}" of store "${storeId}" cannot be read: ${reason}.`,
  );
}
