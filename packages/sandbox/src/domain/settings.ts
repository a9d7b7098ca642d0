import { z } from "zod";
import { ApiError } from "./api-error.ts";
import { limits } from "./limits.ts";

const milliseconds = z.int().min(0).max(limits.longestDelayMs);
const exponent = z.int().min(0).max(4);

const delivery = z.strictObject({
  path: z.enum(["queued", "direct"]),
  timeoutMs: milliseconds.min(1),
  attempts: z.int().min(1).max(20),
  baseDelayMs: milliseconds,
  duplicate: z.int().min(0).max(100),
  reorder: z.boolean(),
  dropFirst: z.int().min(0).max(20),
  tamper: z.boolean(),
  freshIdPerAttempt: z.boolean(),
});

const lists = z.strictObject({
  order: z.enum(["newest", "oldest", "shuffled"]),
  seed: z.int().min(1).max(1_000_000),
  lateRowsMs: milliseconds,
  shiftBy: z.int().min(-20).max(20),
});

const payouts = z.strictObject({ allowTestMobile: z.boolean() });

const settings = z.strictObject({
  amountExponents: z.strictObject({ XOF: exponent, USD: exponent, EUR: exponent }),
  ratePolicy: z.enum(["A", "B", "off"]),
  wrap: z.enum(["none", "data", "array"]),
  narrowReads: z.boolean(),
  staleReadsMs: milliseconds,
  reportsDeclinedAttempt: z.boolean(),
  lists,
  idempotencyHours: z.int().min(1).max(8_760),
  thinEvents: z.union([z.boolean(), z.literal("bare")]),
  timestampHeader: z.boolean(),
  dualSignature: z.boolean(),
  mute: z.array(z.enum(["card", "wave", "mtn"])),
  refunds: z.enum(["instant", "pending"]),
  confirmation: z.enum(["off", "required"]),
  payouts,
  holdCardFunds: z.boolean(),
  feeBps: z.int().min(0).max(10_000),
  sessionTtlSeconds: z.int().min(1).max(31_536_000),
  pendingSeconds: z.int().min(0).max(31_536_000),
  latencyMs: milliseconds,
  allowLoopbackWebhooks: z.boolean(),
  delivery,
});

const settingsPatch = settings.partial().extend({
  amountExponents: settings.shape.amountExponents.partial().optional(),
  lists: lists.partial().optional(),
  payouts: payouts.partial().optional(),
  delivery: delivery.partial().optional(),
});

/** The settings of the sandbox. README.md describes each of them. */
export type Settings = z.infer<typeof settings>;
export type SettingsPatch = z.input<typeof settingsPatch>;

const defaultSettings: Settings = {
  amountExponents: { XOF: 0, USD: 2, EUR: 2 },
  ratePolicy: "B",
  wrap: "none",
  narrowReads: false,
  staleReadsMs: 0,
  reportsDeclinedAttempt: false,
  lists: { order: "newest", seed: 1, lateRowsMs: 0, shiftBy: 0 },
  idempotencyHours: 24,
  thinEvents: false,
  timestampHeader: false,
  dualSignature: false,
  mute: [],
  refunds: "instant",
  confirmation: "off",
  payouts: { allowTestMobile: false },
  holdCardFunds: false,
  feeBps: 250,
  sessionTtlSeconds: 3600,
  pendingSeconds: 15,
  latencyMs: 0,
  allowLoopbackWebhooks: true,
  delivery: {
    path: "queued",
    timeoutMs: 4000,
    attempts: 5,
    baseDelayMs: 5000,
    duplicate: 0,
    reorder: false,
    dropFirst: 0,
    tamper: false,
    freshIdPerAttempt: false,
  },
};

/**
 * Returns the settings after a change. Omitted settings keep their values.
 * @throws ApiError `bad_request` for an unknown setting or an invalid value
 */
export function mergeSettings(current: Settings, change: unknown): Settings {
  const parsed = settingsPatch.safeParse(change);
  if (!parsed.success) throw new ApiError("bad_request", describeSettingsError(parsed.error));
  const changes = Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  return {
    ...current,
    ...changes,
    amountExponents: { ...current.amountExponents, ...parsed.data.amountExponents },
    lists: { ...current.lists, ...parsed.data.lists },
    payouts: { ...current.payouts, ...parsed.data.payouts },
    delivery: { ...current.delivery, ...parsed.data.delivery },
  } as Settings;
}

/** Drops unknown settings, which another version may have stored. */
const storedSettings = z.object({
  ...settings.shape,
  amountExponents: z.object(settings.shape.amountExponents.shape),
  lists: z.object(lists.shape),
  payouts: z.object(payouts.shape),
  delivery: z.object(delivery.shape),
});

/**
 * Reads settings that another version stored: missing settings get their defaults, unknown settings are dropped. If a value is
 * invalid, all settings get their defaults.
 */
export function parseStoredSettings(stored: unknown): Settings {
  const given = (stored ?? {}) as Partial<Settings>;
  const merged = {
    ...defaultSettings,
    ...given,
    amountExponents: { ...defaultSettings.amountExponents, ...given.amountExponents },
    lists: { ...defaultSettings.lists, ...given.lists },
    payouts: { ...defaultSettings.payouts, ...given.payouts },
    delivery: { ...defaultSettings.delivery, ...given.delivery },
  };
  const parsed = storedSettings.safeParse(merged);
  return parsed.success ? parsed.data : defaultSettings;
}

function describeSettingsError(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.join(".") ?? "";
  if (issue?.code === "unrecognized_keys") {
    const name = [path, issue.keys[0]].filter(Boolean).join(".");
    const known = { amountExponents: settings.shape.amountExponents, delivery, lists, payouts }[path] ?? settings;
    return `There is no setting "${name}": the settings are ${Object.keys(known.shape).join(", ")}.`;
  }
  return `The setting "${path}" cannot have this value: ${issue?.message ?? "invalid"}.`;
}
