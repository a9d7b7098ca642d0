import type { z } from "zod";
import { ApiError } from "./api-error.ts";
import {
  deliverySchema,
  listsSchema,
  payoutsSchema,
  settingsPatchSchema,
  settingsSchema,
  storedSettingsSchema,
} from "./settings-schema.ts";

/** The settings of the sandbox. README.md describes each of them. */
export type Settings = z.infer<typeof settingsSchema>;
export type SettingsPatch = z.input<typeof settingsPatchSchema>;

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
  disputedRefunds: "accepted",
  refundReason: "kept",
  refundReasonLength: 1000,
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
  const parsed = settingsPatchSchema.safeParse(change);
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
  const parsed = storedSettingsSchema.safeParse(merged);
  return parsed.success ? parsed.data : defaultSettings;
}

/** The settings that are objects of settings themselves. */
const groupSchemas: Readonly<Record<string, z.ZodObject>> = {
  amountExponents: settingsSchema.shape.amountExponents,
  delivery: deliverySchema,
  lists: listsSchema,
  payouts: payoutsSchema,
};

function describeSettingsError(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.join(".") ?? "";
  if (issue?.code === "unrecognized_keys") {
    const name = path === "" ? issue.keys[0] : `${path}.${issue.keys[0]}`;
    const group = groupSchemas[path] ?? settingsSchema;
    return `There is no setting "${name}": the settings are ${Object.keys(group.shape).join(", ")}.`;
  }
  return `The setting "${path}" cannot have this value: ${issue?.message ?? "invalid"}.`;
}
