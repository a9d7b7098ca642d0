import { createHmac, hash } from "node:crypto";
import { limits } from "../domain/limits.ts";

/**
 * Our mark in the free `reason` of POST /refunds, which GET /refunds returns: `TK`, a letter for who asked, five characters that tie
 * the refund to its payment, and five that tie it to its key. The first half proves that a refund is ours after its row was lost;
 * the second finds the refund of a repeated request. A mark proves presence, never absence: a service may cut or drop the text.
 * `isWhole`: false where the service cut the second half, so that it names the payment and no single refund.
 */
export type RefundMark = { readonly origin: "store" | "tillkit"; readonly text: string; readonly isWhole: boolean };

const PREFIX = "TK";
const LETTERS = { store: "S", tillkit: "T" } as const satisfies Record<RefundMark["origin"], string>;
/** Without letters and digits that people mix up; the case of its letters carries nothing. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const HALF_LENGTH = 5;
const MARK_LENGTH = PREFIX.length + 1 + 2 * HALF_LENGTH;
const LETTER = `[${ALPHABET}]`;
const REST = `(?:(${LETTER}{${HALF_LENGTH}})(?!${LETTER})|${LETTER}{0,${HALF_LENGTH - 1}}$)`;
const FORM = new RegExp(`^${PREFIX}([ST])(${LETTER}{${HALF_LENGTH}})${REST}`);

export function makeMark(paymentId: string, refundKey: string, origin: RefundMark["origin"], key: string): string {
  return `${PREFIX}${LETTERS[origin]}${halfOf(paymentText(paymentId), key)}${halfOf(refundText(refundKey), key)}`;
}

/**
 * The mark at the start of a reason, if it is one of the marks that are stored with this payment's refunds, or if one of the keys made it
 * for a refund of this payment; otherwise null. A process may lack a key that made a stored mark.
 */
export function readMark(
  reason: string | undefined,
  paymentId: string,
  keys: readonly string[],
  stored: readonly (string | null)[],
): RefundMark | null {
  const [text, letter = "", half = "", rest] = FORM.exec(comparable(reason)) ?? [];
  if (text === undefined) return null;
  const isWhole = rest !== undefined;
  const isStored = stored.some((mark) => mark !== null && (isWhole ? mark === text : mark.startsWith(text)));
  if (!isStored && !isHalfOf(half, paymentText(paymentId), keys)) return null;
  return { origin: letter === LETTERS.store ? "store" : "tillkit", text, isWhole };
}

/** Whether a reason begins like a mark, whoever made it. */
export function mayBeMarked(reason: string | undefined): boolean {
  return FORM.test(comparable(reason));
}

// The case of the letters carries nothing, and a service may add spaces.
function comparable(reason: string | undefined): string {
  return (reason ?? "").trim().toUpperCase();
}

/** What was sent after the mark. */
export function withoutMark(sent: string, mark: string | null): string {
  return mark !== null && sent.startsWith(mark) ? sent.slice(mark.length).trimStart() : sent;
}

/** Whether the mark was made for the refund with this key. */
export function isMarkOf(mark: string, refundKey: string, keys: readonly string[]): boolean {
  return mark.length === MARK_LENGTH && isHalfOf(mark.slice(-HALF_LENGTH), refundText(refundKey), keys);
}

/**
 * Whether a reason certainly carries no mark of ours. An empty reason is not read at all, and a reason that begins like a mark may be
 * a mark that was cut, or one that a removed key made.
 */
export function isUnmarked(reason: string | undefined): boolean {
  const text = comparable(reason);
  return text !== "" && !text.startsWith(PREFIX) && !PREFIX.startsWith(text);
}

/**
 * The Idempotency-Key of a refund's request without its mark. It is made from the refund's key alone, so that a repeat after a crash
 * has the same effect. Where both do not fit into a key, a digest stands for the refund's key.
 */
export function unmarkedKeyOf(refundKey: string): string {
  const key = refundKey + UNMARKED;
  return key.length <= limits.maxKeyLength ? key : hash("sha256", refundKey, "hex") + UNMARKED;
}

const UNMARKED = ":unmarked";

function isHalfOf(half: string, text: string, keys: readonly string[]): boolean {
  return keys.some((key) => halfOf(text, key) === half.toUpperCase());
}

function halfOf(text: string, key: string): string {
  const digest = createHmac("sha256", key).update(text).digest();
  return [...digest.subarray(0, HALF_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

function paymentText(paymentId: string): string {
  return `tillkit refund of payment ${paymentId}`;
}

function refundText(refundKey: string): string {
  return `tillkit refund ${refundKey}`;
}
