import { z } from "zod";
import { limits } from "./limits.ts";

const milliseconds = z.int().min(0).max(limits.longestDelayMs);
const exponent = z.int().min(0).max(4);
const YEAR_SECONDS = 31_536_000;
const YEAR_HOURS = 8_760;

export const deliverySchema = z.strictObject({
  /** `queued` follows the settings below. `direct` has a fixed retry policy: see `retryPolicy`. */
  path: z.enum(["queued", "direct"]),
  timeoutMs: milliseconds.min(1),
  attempts: z.int().min(1).max(20),
  /** The wait before the first retry. Each further wait is twice as long. */
  baseDelayMs: milliseconds,
  /** The number of extra deliveries of each event. */
  duplicate: z.int().min(0).max(100),
  /** Every second delivery of an endpoint overtakes the delivery before it. */
  reorder: z.boolean(),
  /** The number of first attempts of each delivery that fail without reaching the receiver. */
  dropFirst: z.int().min(0).max(20),
  /** The body is changed after it was signed. */
  tamper: z.boolean(),
  freshIdPerAttempt: z.boolean(),
});

export const listsSchema = z.strictObject({
  order: z.enum(["newest", "oldest", "shuffled"]),
  /** Determines the order of `shuffled`. */
  seed: z.int().min(1).max(1_000_000),
  /** The delay until a new row appears in lists. Reads by id find it at once. */
  lateRowsMs: milliseconds,
  /** The number of rows that appear between the first and the second page; a negative number of rows disappears. */
  shiftBy: z.int().min(-20).max(20),
});

export const payoutsSchema = z.strictObject({
  /** Test keys may pay out by Wave and MTN. */
  allowTestMobile: z.boolean(),
});

export const settingsSchema = z.strictObject({
  /** The decimals of an amount of the API. */
  amountExponents: z.strictObject({ XOF: exponent, USD: exponent, EUR: exponent }),
  /** The service documents two contradicting policies: see `createRateLimits`. */
  ratePolicy: z.enum(["A", "B", "off"]),
  /** Returns a single object as it is, as `{ data: object }`, or in an array. */
  wrap: z.enum(["none", "data", "array"]),
  /**
   * `true`: reads of a session omit the fields that only some deployments return. `bare`: reads of a session also omit its
   * transaction, and reads of transactions and refunds omit the session and have null metadata.
   */
  narrowReads: z.union([z.boolean(), z.literal("bare")]),
  /** Reads by id return the version of this long ago. Events are not delayed. */
  staleReadsMs: milliseconds,
  /** A session names its last declined attempt as `transaction_id`, even when another attempt completed it. */
  reportsDeclinedAttempt: z.boolean(),
  lists: listsSchema,
  /** The lifetime of an Idempotency-Key. */
  idempotencyHours: z.int().min(1).max(YEAR_HOURS),
  /** `true`: events omit the id of the session. `bare`: their metadata is also null. */
  thinEvents: z.union([z.boolean(), z.literal("bare")]),
  /** Deliveries carry `X-Service-Timestamp`. */
  timestampHeader: z.boolean(),
  /** For 24 hours after a rotation, the old and the new secret both sign. */
  dualSignature: z.boolean(),
  /** The hosted page does not offer these methods, and direct charges by them answer 503. */
  mute: z.array(z.enum(["card", "wave", "mtn"])),
  /** `pending`: a refund stays pending until the control API ends it. */
  refunds: z.enum(["instant", "pending"]),
  /** `refused`: a refund may not take what an open or lost dispute of the transaction holds. */
  disputedRefunds: z.enum(["accepted", "refused"]),
  /**
   * What becomes of the `reason` of a refund: it is kept, dropped, upper-cased, replaced by `requested_by_customer`, or refused unless
   * it is one of `REFUND_REASONS`.
   */
  refundReason: z.enum(["kept", "dropped", "uppercased", "replaced", "refused"]),
  /** The number of characters of a `reason` that are kept. */
  refundReasonLength: z.int().min(0).max(1000),
  /** `required`: refunds, payouts and settlements return a preview first. */
  confirmation: z.enum(["off", "required"]),
  payouts: payoutsSchema,
  /** Card payments are held until a settlement releases them. */
  holdCardFunds: z.boolean(),
  /** The fee of the service in basis points. */
  feeBps: z.int().min(0).max(10_000),
  sessionTtlSeconds: z.int().min(1).max(YEAR_SECONDS),
  /** The delay until a payment from a phone number ending in 0001 completes. */
  pendingSeconds: z.int().min(0).max(YEAR_SECONDS),
  /** The delay of every API response. */
  latencyMs: milliseconds,
  /** `false`: webhook URLs in private networks are refused, as in production. */
  allowLoopbackWebhooks: z.boolean(),
  delivery: deliverySchema,
});

/** A change of some settings. An unknown setting is an error. */
export const settingsPatchSchema = settingsSchema.partial().extend({
  amountExponents: settingsSchema.shape.amountExponents.partial().optional(),
  lists: listsSchema.partial().optional(),
  payouts: payoutsSchema.partial().optional(),
  delivery: deliverySchema.partial().optional(),
});

/** Stored settings. Unknown settings are dropped, because another version may have stored them. */
export const storedSettingsSchema = z.object({
  ...settingsSchema.shape,
  amountExponents: z.object(settingsSchema.shape.amountExponents.shape),
  lists: z.object(listsSchema.shape),
  payouts: z.object(payoutsSchema.shape),
  delivery: z.object(deliverySchema.shape),
});
