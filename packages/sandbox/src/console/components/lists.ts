import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import type { ConsoleTexts } from "../texts/texts.ts";
import { badge } from "./badge.ts";
import { consolePath } from "./page-url.ts";
import type { ConsolePageRequest } from "./section.ts";

/** One row of a list. */
export type ListItem = {
  href: string;
  name: string;
  /** Short details, joined with dots. */
  about: readonly HtmlValue[];
  amount?: string;
  status?: string;
};

export function itemList(texts: ConsoleTexts, rows: readonly ListItem[], emptyText: string): Html {
  if (rows.length === 0) return html`<p class="none">${emptyText}</p>`;
  return html`<ul class="rows">${rows.map((row) => listItem(texts, row))}</ul>`;
}

function listItem(texts: ConsoleTexts, { href, name, about, amount, status }: ListItem): Html {
  return html`<li><a href="${href}"><b>${name}</b> <span class="about">${joinWithDots(about)}</span> <span class="amount">${amount}</span> ${status !== undefined && badge(texts, status)}</a></li>
`;
}

function joinWithDots(parts: readonly HtmlValue[]): HtmlValue {
  const present = parts.filter((part) => part !== null && part !== undefined && part !== false && part !== "");
  return present.map((part, index) => (index === 0 ? part : html` · ${part}`));
}

export const rowsPerPage = 20;

/** The part of a list that `page` in the query requests. The limit is one row above `size`, to learn whether a next page exists. */
export function parsePage(query: URLSearchParams, size = rowsPerPage): { limit: number; offset: number } {
  const text = query.get("page") ?? "1";
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
  return { limit: size + 1, offset: (number - 1) * size };
}

type ListRequest = Pick<ConsolePageRequest, "query" | "texts">;

/** The rows of the requested page with links to newer and older rows. */
export function pagedList(
  { query, texts }: ListRequest,
  { items, emptyText, size = rowsPerPage }: { items: readonly ListItem[]; emptyText: string; size?: number },
): Html {
  return html`${itemList(texts, items.slice(0, size), emptyText)}${pager({ query, texts }, { hasMore: items.length > size, size })}`;
}

/** The links to the newer and the older page. Null when there is one page only. */
export function pager(
  { query, texts: { lists } }: ListRequest,
  { hasMore, size = rowsPerPage }: { hasMore: boolean; size?: number },
): Html | null {
  const number = parsePage(query, size).offset / size + 1;
  if (number === 1 && !hasMore) return null;
  return html`<nav class="pager" aria-label="${lists.pages}">${number > 1 && html`<a href="${pageLink(query, number - 1)}">${lists.newer}</a>`}<span>${lists.page(number)}</span>${hasMore && html`<a href="${pageLink(query, number + 1)}">${lists.older}</a>`}</nav>`;
}

function pageLink(query: URLSearchParams, page: number): string {
  const next = new URLSearchParams(query);
  // `done` names the message of an earlier action.
  next.delete("done");
  next.set("page", String(page));
  return `?${next}`;
}

/** The choices of a filter by state. The empty value shows every row. */
export function statusFilter({ lists, state }: ConsoleTexts, states: readonly string[]): Record<string, string> {
  return { "": lists.all, ...Object.fromEntries(states.map((name) => [name, capitalised(state(name))])) };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Links that filter a list by one query parameter. The empty value shows every row. */
export function filterLinks(
  tab: string,
  { query, texts }: ListRequest,
  { name, values }: { name: string; values: Record<string, string> },
): Html {
  const chosen = query.get(name) ?? "";
  return html`<nav class="filter" aria-label="${texts.lists.show}">${Object.entries(values).map(([value, text]) => {
    const href = `${consolePath}/${tab}${value === "" ? "" : `?${new URLSearchParams({ [name]: value })}`}`;
    return value === chosen
      ? html`<a href="${href}" aria-current="true">${text}</a>`
      : html`<a href="${href}">${text}</a>`;
  })}</nav>`;
}
