import { createHash } from "node:crypto";
import type { Language } from "@tillkit/core";
import { timeText } from "../pages/time-text.ts";
import { type ActiveAlerts, ALERT_KINDS, type AlertKind } from "./active-alerts.ts";
import { ALERT_TEXTS } from "./alert-texts.ts";

export type AlertMessage = {
  /** The same alerts have the same id, so that a receiver recognises a repeated message. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  /** How many alerts of each kind this message adds. Kinds without a new alert are left out. */
  readonly added: Partial<Record<AlertKind, number>>;
  /** How many alerts of each kind are active. */
  readonly active: Partial<Record<AlertKind, number>>;
  readonly operatorsUrl: string | null;
};

/** Where the operators' pages list each kind; `""` is the overview. */
const PATHS: Readonly<Record<AlertKind, string>> = {
  held: "/payments?state=review",
  duplicate: "/payments?state=duplicate",
  dispute: "/disputes",
  dispute_due: "/disputes",
  shortfall: "",
  surplus: "",
  transaction_unknown: "/dead",
  orphan: "/deliveries?outcome=orphan",
  dead_letter: "/dead",
  failing: "",
  unclaimed: "",
  outage: "",
  refusing: "",
  answering: "",
  warning: "",
};

/** Composes counts, deadlines and links. E-mails and chats have many readers: no order, name or amount appears in them. */
export function composeAlert(
  unsent: Readonly<Record<AlertKind, readonly string[]>>,
  alerts: ActiveAlerts,
  options: { readonly publicUrl: string; readonly operatorsUrl: string | null; readonly language: Language },
): AlertMessage {
  const { operatorsUrl, language } = options;
  const texts = ALERT_TEXTS[language];
  const added = countsOf((kind) => unsent[kind].length);
  const active = countsOf((kind) => alerts[kind].keys.length);
  const lines = ALERT_KINDS.flatMap((kind) => {
    const [count, total] = [added[kind], active[kind] ?? 0];
    if (count === undefined) return [];
    const totalText = total > count ? ` ${texts.total(total, alerts[kind].isComplete)}` : "";
    const linesOfKind = [`- ${texts.kinds[kind](count)}${totalText}`];
    const dueBy = soonest(unsent[kind], alerts[kind].dueBy);
    if (dueBy !== null) linesOfKind.push(`  ${texts.dueBy(timeText(dueBy, language))}`);
    if (operatorsUrl !== null) linesOfKind.push(`  ${operatorsUrl}${PATHS[kind]}`);
    return linesOfKind;
  });
  const headlines = ALERT_KINDS.flatMap((kind) => (added[kind] === undefined ? [] : [texts.kinds[kind](added[kind])]));
  return {
    id: createHash("sha256").update(JSON.stringify(unsent)).digest("hex").slice(0, 32),
    subject: `[${new URL(options.publicUrl).host}] ${headlines.join(", ")}`,
    text: [texts.lead, "", ...lines, "", operatorsUrl === null ? texts.noPages : texts.closing, ""].join("\n"),
    added,
    active,
    operatorsUrl,
  };
}

function soonest(keys: readonly string[], dueBy: Readonly<Record<string, number>> = {}): number | null {
  const times = keys.flatMap((key) => dueBy[key] ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

function countsOf(count: (kind: AlertKind) => number): Partial<Record<AlertKind, number>> {
  const counts = ALERT_KINDS.map((kind) => [kind, count(kind)] as const).filter(([, number]) => number > 0);
  return Object.fromEntries(counts);
}
