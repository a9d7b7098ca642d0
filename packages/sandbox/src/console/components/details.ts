import { isoTime } from "../../domain/clock.ts";
import type { Currency } from "../../domain/currencies.ts";
import { formatAmount } from "../../pages/format-amount.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import type { ConsoleTexts } from "../texts/texts.ts";
import type { PageContext } from "./section.ts";

/** A list of names and values. Entries without a value are omitted. */
export function detailList(values: Record<string, HtmlValue>): Html {
  const lines = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined && value !== false && value !== "",
  );
  return html`<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function idText(id: string | null): Html | null {
  return id === null ? null : html`<code>${id}</code>`;
}

export function amountText({ service, texts }: PageContext, amount: number, currency: Currency): string {
  return formatAmount(amount, currency, texts.language, service.settings.amountExponents);
}

/** A date and time in UTC, like the clock in the header of the console. */
export function timeText(time: number | string): Html {
  const iso = isoTime(typeof time === "number" ? time : Date.parse(time));
  return html`<time datetime="${iso}">${dateAndTime(iso)}</time>`;
}

/** `2026-01-31T12:00:00.000Z` becomes `2026-01-31 12:00:00`. */
export function dateAndTime(iso: string): string {
  return iso.replace("T", " ").replace(/\.\d{3}Z$/, "");
}

/** Preformatted text to read or copy. A long text is cut, with a note about the rest. */
export function codeBlock({ events }: ConsoleTexts, id: string, text: string, maxLength = 8192): Html {
  const hiddenLength = text.length - maxLength;
  return html`<pre id="${id}">${hiddenLength > 0 ? text.slice(0, maxLength) : text}</pre>${
    hiddenLength > 0 && html`<p class="small">${events.moreCharacters(hiddenLength)}</p>`
  }`;
}

/** The URL of a webhook endpoint without user and query, which can contain passwords. */
export function endpointText({ lists }: ConsoleTexts, url: string | null): string {
  if (url === null) return lists.deletedEndpoint;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
