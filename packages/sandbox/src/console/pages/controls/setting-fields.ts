import { limits } from "../../../domain/limits.ts";
import type { Settings } from "../../../domain/settings.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";

/** The form field of one setting. `name` is the path of the setting: `delivery.attempts`. The texts have its label and choices. */
export type SettingField = { name: keyof ConsoleTexts["settings"]["fields"] } & (
  | { kind: "number"; minimum: number; maximum: number }
  | { kind: "choice" }
  /** One checkbox. */
  | { kind: "switch" }
  /** Any number of checkboxes. */
  | { kind: "multiple" }
);

const YEAR_SECONDS = 31_536_000;
const YEAR_HOURS = 8_760;

function number(name: SettingField["name"], minimum: number, maximum: number): SettingField {
  return { name, kind: "number", minimum, maximum };
}

function milliseconds(name: SettingField["name"], minimum = 0): SettingField {
  return number(name, minimum, limits.longestDelayMs);
}

/** The settings in groups. Each group is one form. */
export const settingGroups: Readonly<Record<string, readonly SettingField[]>> = {
  Payments: [
    number("sessionTtlSeconds", 1, YEAR_SECONDS),
    number("pendingSeconds", 0, YEAR_SECONDS),
    number("feeBps", 0, 10_000),
    { name: "mute", kind: "multiple" },
    { name: "refunds", kind: "choice" },
    { name: "disputedRefunds", kind: "choice" },
    { name: "refundReason", kind: "choice" },
    number("refundReasonLength", 0, 1000),
    { name: "confirmation", kind: "choice" },
    { name: "holdCardFunds", kind: "switch" },
  ],
  Answers: [
    { name: "ratePolicy", kind: "choice" },
    milliseconds("latencyMs"),
    { name: "wrap", kind: "choice" },
    { name: "narrowReads", kind: "choice" },
    milliseconds("staleReadsMs"),
    { name: "reportsDeclinedAttempt", kind: "switch" },
    number("idempotencyHours", 1, YEAR_HOURS),
  ],
  Lists: [
    { name: "lists.order", kind: "choice" },
    number("lists.seed", 1, 1_000_000),
    milliseconds("lists.lateRowsMs"),
    number("lists.shiftBy", -20, 20),
  ],
  Webhooks: [
    { name: "delivery.path", kind: "choice" },
    number("delivery.attempts", 1, 20),
    milliseconds("delivery.baseDelayMs"),
    milliseconds("delivery.timeoutMs", 1),
    number("delivery.duplicate", 0, 100),
    number("delivery.dropFirst", 0, 20),
    { name: "delivery.reorder", kind: "switch" },
    { name: "delivery.tamper", kind: "switch" },
    { name: "delivery.freshIdPerAttempt", kind: "switch" },
    { name: "thinEvents", kind: "choice" },
    { name: "timestampHeader", kind: "switch" },
    { name: "dualSignature", kind: "switch" },
    { name: "allowLoopbackWebhooks", kind: "switch" },
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
