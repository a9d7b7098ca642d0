import { createHash } from "node:crypto";
import type { Language } from "@tillkit/core";
import { timeText } from "../operators/pages/parts.ts";
import { ALERT_KINDS, type AlertKind, type Happenings } from "./happenings.ts";
import { ALERT_WORDS } from "./words.ts";

export type AlertMessage = {
  /** The same for the same news, so that a receiver can tell a repeated message. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  /** How many are news, and how many there are in all. Only kinds that there are. */
  readonly news: Partial<Record<AlertKind, number>>;
  readonly open: Partial<Record<AlertKind, number>>;
  readonly operatorsUrl: string | null;
};

const PLACES: Readonly<Record<AlertKind, string>> = {
  held: "/payments?state=review",
  duplicate: "/payments?state=duplicate",
  dispute: "/disputes",
  dispute_due: "/disputes",
  orphan: "/deliveries?outcome=orphan",
  parked: "/dead",
  failing: "",
  down: "",
};

/** Counts, deadlines and links: no order, name or amount, because mails and chats are read by many. */
export function composeAlert(
  fresh: Readonly<Record<AlertKind, readonly string[]>>,
  happenings: Happenings,
  place: { readonly publicUrl: string; readonly operatorsUrl: string | null; readonly language: Language },
): AlertMessage {
  const { operatorsUrl, language } = place;
  const words = ALERT_WORDS[language];
  const news = countsOf((kind) => fresh[kind].length);
  const open = countsOf((kind) => happenings[kind].keys.length);
  const told = ALERT_KINDS.flatMap((kind) => {
    const [count, all] = [news[kind], open[kind] ?? 0];
    if (count === undefined) return [];
    const link = operatorsUrl === null ? [] : [`  ${operatorsUrl}${PLACES[kind]}`];
    const dueBy = soonest(fresh[kind], happenings[kind].dueBy);
    return [
      `- ${words.kinds[kind](count)}${all > count ? ` ${words.inAll(all, happenings[kind].whole)}` : ""}`,
      ...(dueBy === null ? [] : [`  ${words.dueBy(timeText(dueBy, language))}`]),
      ...link,
    ];
  });
  const headlines = ALERT_KINDS.flatMap((kind) => (news[kind] === undefined ? [] : [words.kinds[kind](news[kind])]));
  const host = new URL(place.publicUrl).host;
  return {
    id: createHash("sha256").update(JSON.stringify(fresh)).digest("hex").slice(0, 32),
    subject: `[${host}] ${headlines.join(", ")}`,
    text: [words.lead, "", ...told, "", operatorsUrl === null ? words.noPage : words.close, ""].join("\n"),
    news,
    open,
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
