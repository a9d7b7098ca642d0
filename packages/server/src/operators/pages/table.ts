import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { timeText } from "../../pages/time-text.ts";
import { listTexts } from "../texts/list-texts.ts";
import type { PageContext } from "./page-context.ts";
import { timeIn } from "./rows.ts";

/** A column of a list. `kind`: an amount and a time stand on the right; `full`: a text that gets a line of its own on a phone. */
export type Column = {
  readonly name: string;
  readonly kind?: "amount" | "state" | "when" | "full" | "pick";
  readonly isSorted?: boolean;
};

export type TableRow = { readonly cells: readonly HtmlValue[]; readonly isAlarm?: boolean };

/** A list. The first cell of a row holds the link that opens the row, which covers the whole row. */
export function table(caption: string, columns: readonly Column[], rows: readonly TableRow[]): Html {
  const first = columns.findIndex(({ kind }) => kind !== "pick");
  const head = columns.map(
    ({ name, kind = "", isSorted }) =>
      html`<th scope="col" class="${kind}"${isSorted && html` aria-sort="descending"`}>${kind === "pick" ? html`<span class="hidden">${name}</span>` : name}${isSorted && html`<span aria-hidden="true"> ↓</span>`}</th>`,
  );
  const cell = (value: HtmlValue, index: number) => {
    const kind = columns[index]?.kind ?? (index === first ? "first" : "");
    return html`<td${kind !== "" && html` class="${kind}"`}>${value}</td>`;
  };
  return html`<table class="list" aria-label="${caption}"><thead><tr>${head}</tr></thead><tbody>${rows.map(({ cells, isAlarm }) => html`<tr${isAlarm && html` class="attention"`}>${cells.map(cell)}</tr>\n`)}</tbody></table>`;
}

/** The link that opens a row. */
export function openLink(url: string, text: HtmlValue): Html {
  return html`<a class="open" href="${url}">${text}</a>`;
}

/** How long ago something of the last day was; the exact time is shown on hover and focus, and always on a wide screen and on paper. */
export function ago(at: number, context: PageContext): Html {
  return html`<time datetime="${new Date(at).toISOString()}"><span class="ago" aria-hidden="true">${relative(at, context)}</span><span class="exact">${timeText(at, context.language, { zone: context.zone })}</span></time>`;
}

/** What will stand in a list that has no rows yet. */
export function emptyList(title: string, lead: string): Html {
  return html`<p class="empty"><strong>${title}</strong> ${lead}</p>`;
}

const DAY = 86_400_000;
const UNITS = [
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "2 hours ago"; the day and the time of what is older than a day, because a caller names the day and a phone has no hover. */
function relative(at: number, context: PageContext): string {
  const passed = context.now - at;
  if (Math.abs(passed) >= 30 * DAY) return timeIn(at, context);
  if (Math.abs(passed) >= DAY) return dayFormat(context).format(at);
  const [unit, ms] = UNITS.find(([, unitMs]) => Math.abs(passed) >= unitMs) ?? (["minute", 60_000] as const);
  const count = Math.trunc(passed / ms);
  if (count === 0) return listTexts[context.language].now;
  return relativeFormat(context.language).format(-count, unit);
}

// A format is expensive to create.
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** "28 Nov, 19:40" in the operator's zone. */
function dayFormat({ language, zone }: PageContext): Intl.DateTimeFormat {
  const key = `${language} ${zone}`;
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: zone } as const;
  const format = dayFormats.get(key) ?? new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", options);
  dayFormats.set(key, format);
  return format;
}

const formats = new Map<string, Intl.RelativeTimeFormat>();

function relativeFormat(language: string): Intl.RelativeTimeFormat {
  const format = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  formats.set(language, format);
  return format;
}
