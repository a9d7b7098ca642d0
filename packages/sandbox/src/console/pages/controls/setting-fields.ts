import { limits } from "../../../domain/limits.ts";
import type { Settings } from "../../../domain/settings.ts";

/** The form field of one setting. `name` is the path of the setting: `delivery.attempts`. */
export type SettingField = { name: string; label: string } & (
  | { kind: "number"; minimum: number; maximum: number }
  | { kind: "choice"; choices: Readonly<Record<string, string>> }
  /** One checkbox. */
  | { kind: "switch" }
  /** Any number of checkboxes. */
  | { kind: "multiple"; choices: Readonly<Record<string, string>> }
);

const YEAR_SECONDS = 31_536_000;
const YEAR_HOURS = 8_760;
const seconds = { kind: "number", minimum: 0, maximum: YEAR_SECONDS } as const;
const milliseconds = { kind: "number", minimum: 0, maximum: limits.longestDelayMs } as const;

/** The settings in groups. Each group is one form. */
export const settingGroups: Readonly<Record<string, readonly SettingField[]>> = {
  Payments: [
    { name: "sessionTtlSeconds", label: "Lifetime of a session, seconds", ...seconds, minimum: 1 },
    {
      name: "pendingSeconds",
      label: "A payment from a phone number ending in 0001 completes after, seconds",
      ...seconds,
    },
    { name: "feeBps", label: "Fee of the service, basis points", kind: "number", minimum: 0, maximum: 10_000 },
    {
      name: "mute",
      label: "Payment methods that are switched off",
      kind: "multiple",
      choices: { card: "Card", wave: "Wave", mtn: "MTN" },
    },
    {
      name: "refunds",
      label: "Refunds",
      kind: "choice",
      choices: { instant: "complete at once", pending: "wait to be completed" },
    },
    {
      name: "disputedRefunds",
      label: "Refunds of money that an open or lost dispute holds",
      kind: "choice",
      choices: { accepted: "accepted", refused: "refused" },
    },
    {
      name: "refundReason",
      label: "The reason of a refund is",
      kind: "choice",
      choices: {
        kept: "kept",
        dropped: "dropped",
        uppercased: "upper-cased",
        replaced: "replaced by requested_by_customer",
        refused: "refused when it is free text",
      },
    },
    {
      name: "refundReasonLength",
      label: "Characters of a reason that are kept",
      kind: "number",
      minimum: 0,
      maximum: 1000,
    },
    {
      name: "confirmation",
      label: "Refunds and payouts",
      kind: "choice",
      choices: { off: "one step", required: "two steps, with a token" },
    },
    {
      name: "holdCardFunds",
      label: "Card funds are held until an instant settlement of the mode advance",
      kind: "switch",
    },
  ],
  Answers: [
    {
      name: "ratePolicy",
      label: "Rate limits",
      kind: "choice",
      choices: { A: "A: per minute and day", B: "B: per 15 minutes, and writes per minute", off: "off" },
    },
    { name: "latencyMs", label: "Latency of every response, milliseconds", ...milliseconds },
    {
      name: "wrap",
      label: "Single objects are returned",
      kind: "choice",
      choices: { none: "as they are", data: "under data", array: "in an array" },
    },
    {
      name: "narrowReads",
      label: "Reads",
      kind: "choice",
      choices: {
        false: "complete",
        true: "of a session without some fields",
        bare: "that also link no session, transaction or metadata",
      },
    },
    { name: "staleReadsMs", label: "Reads by id lag behind changes by, milliseconds", ...milliseconds },
    { name: "reportsDeclinedAttempt", label: "A session names its last declined transaction", kind: "switch" },
    {
      name: "idempotencyHours",
      label: "Idempotency keys are remembered for, hours",
      kind: "number",
      minimum: 1,
      maximum: YEAR_HOURS,
    },
  ],
  Lists: [
    {
      name: "lists.order",
      label: "Order of the rows",
      kind: "choice",
      choices: { newest: "newest first", oldest: "oldest first", shuffled: "shuffled by the seed" },
    },
    { name: "lists.seed", label: "Seed of the shuffle", kind: "number", minimum: 1, maximum: 1_000_000 },
    { name: "lists.lateRowsMs", label: "New rows are listed after, milliseconds", ...milliseconds },
    {
      name: "lists.shiftBy",
      label: "Rows added between two pages (negative: removed)",
      kind: "number",
      minimum: -20,
      maximum: 20,
    },
  ],
  Webhooks: [
    {
      name: "delivery.path",
      label: "Delivery and its retries",
      kind: "choice",
      choices: {
        queued: "queued: attempts and waits as set below",
        direct: "direct: four attempts, with waits of 3, 6 and 12 seconds",
      },
    },
    { name: "delivery.attempts", label: "Attempts", kind: "number", minimum: 1, maximum: 20 },
    { name: "delivery.baseDelayMs", label: "First wait between attempts, milliseconds", ...milliseconds },
    { name: "delivery.timeoutMs", label: "Timeout, milliseconds", ...milliseconds, minimum: 1 },
    { name: "delivery.duplicate", label: "Extra deliveries of each event", kind: "number", minimum: 0, maximum: 100 },
    { name: "delivery.dropFirst", label: "First attempts that are dropped", kind: "number", minimum: 0, maximum: 20 },
    { name: "delivery.reorder", label: "Every second event overtakes the previous one", kind: "switch" },
    { name: "delivery.tamper", label: "The body is changed after it was signed", kind: "switch" },
    { name: "delivery.freshIdPerAttempt", label: "Every attempt has its own event id", kind: "switch" },
    {
      name: "thinEvents",
      label: "Events",
      kind: "choice",
      choices: { false: "complete", true: "without the session", bare: "without session and metadata" },
    },
    { name: "timestampHeader", label: "X-Service-Timestamp is sent", kind: "switch" },
    { name: "dualSignature", label: "Both secrets sign after a rotation", kind: "switch" },
    { name: "allowLoopbackWebhooks", label: "This machine may receive webhooks", kind: "switch" },
  ],
};

/** The value of a setting. `name` is the name of its {@link SettingField}. */
export function readSetting(settings: Settings, name: string): unknown {
  let value: unknown = settings;
  for (const step of name.split(".")) value = (value as Record<string, unknown>)[step];
  return value;
}

/** The settings change of a submitted form. The control's `changeSettings` validates it. */
export function parseSettingsChange(fields: readonly SettingField[], form: URLSearchParams): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const field of fields) {
    const [setting = "", innerSetting] = field.name.split(".");
    const value = parseValue(field, form);
    if (innerSetting === undefined) change[setting] = value;
    else change[setting] = { ...(change[setting] as object | undefined), [innerSetting]: value };
  }
  return change;
}

function parseValue(field: SettingField, form: URLSearchParams): unknown {
  const given = form.get(field.name);
  if (field.kind === "switch") return given !== null;
  if (field.kind === "multiple") return form.getAll(field.name);
  // An empty text would be the number 0, so the check of the settings gets a value that it rejects.
  if (field.kind === "number") return given === null || given.trim() === "" ? Number.NaN : Number(given);
  // `thinEvents` and `narrowReads` have a boolean or a text as their value.
  if (given === "true") return true;
  return given === "false" ? false : given;
}
