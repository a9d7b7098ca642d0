import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { CheckoutError } from "@tillkit/core";

/** Whose row a sealed value is in: in another row it cannot be opened. */
export type Place = { readonly storeId: string; readonly kind: string; readonly key: string };

export type Seal = {
  close(text: string, place: Place): string;
  /** @throws CheckoutError `secret_unreadable` */
  open(sealed: string, place: Place): string;
  /** Whether it was closed with the newest key. */
  isNewest(sealed: string): boolean;
};

const FORM = "1";
const SHORTEST_KEY = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

type SealKey = { readonly id: string; readonly bytes: Uint8Array };

/**
 * AES-256-GCM under keys that are derived from `secrets`, newest first: the first closes, any opens. A sealed value is
 * `1.<key id>.<iv, tag and text in base64url>`.
 * @throws CheckoutError `configuration_invalid` for a key that is too short
 */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map(deriveKey);

  function newest(): SealKey {
    const [first] = keys;
    if (first !== undefined) return first;
    const message =
      "This ledger has no key to seal secrets with: set TILLKIT_SECRET_KEYS to a random text of at least 32 characters (openLedger's secretKeys).";
    throw new CheckoutError("configuration_invalid", message);
  }

  return {
    close(text, place) {
      const { id, bytes } = newest();
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", bytes, iv, { authTagLength: TAG_BYTES }).setAAD(contextOf(place));
      const closed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return [FORM, id, Buffer.concat([iv, cipher.getAuthTag(), closed]).toString("base64url")].join(".");
    },
    open(sealed, place) {
      newest();
      const [form, id, content = ""] = sealed.split(".");
      const key = form === FORM ? keys.find((one) => one.id === id) : undefined;
      if (key === undefined) throw unreadable(place, "it was sealed with a key that is not among TILLKIT_SECRET_KEYS");
      const bytes = Buffer.from(content, "base64url");
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv("aes-256-gcm", key.bytes, iv, { authTagLength: TAG_BYTES })
          .setAAD(contextOf(place))
          .setAuthTag(tag);
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // No cause: it would say nothing more, and never anything about the content.
        throw unreadable(place, "it was changed, or moved to another row");
      }
    },
    isNewest: (sealed) => sealed.startsWith(`${FORM}.${newest().id}.`),
  };
}

function deriveKey(secret: string): SealKey {
  if (secret.length < SHORTEST_KEY) {
    const message = `A key in TILLKIT_SECRET_KEYS has ${secret.length} characters: make each a random text of at least ${SHORTEST_KEY}.`;
    throw new CheckoutError("configuration_invalid", message);
  }
  const bytes = new Uint8Array(hkdfSync("sha256", secret, "", "tillkit secrets", 32));
  return { bytes, id: createHash("sha256").update("key id").update(bytes).digest("hex").slice(0, 12) };
}

function contextOf({ storeId, kind, key }: Place): Buffer {
  return Buffer.from(JSON.stringify([storeId, kind, key]));
}

function unreadable({ storeId, kind, key }: Place, why: string): CheckoutError {
  return new CheckoutError(
    "secret_unreadable",
    `The secret ${kind} "${key}" of store "${storeId}" cannot be read: ${why}.`,
  );
}
