import { html } from "../../pages/html.ts";
import { itemList } from "../components/lists.ts";
import type { ConsoleSection, PageHandler } from "../components/section.ts";
import { findById } from "../search/find-by-id.ts";
import { findMatches } from "../search/find-matches.ts";

/** A whole id redirects to the page of its resource. For any other text, the page lists the resources that contain the text. */
const searchPage: PageHandler = async (request) => {
  const { service, control, query, texts } = request;
  const { search } = texts;
  const text = (query.get("q") ?? "").trim().slice(0, 100);
  const redirectTo = text === "" ? null : await findById(service, control, text);
  if (redirectTo !== null) return { tab: null, title: search.title, main: html``, redirectTo };
  const groups = text === "" ? [] : await findMatches(request, text);
  const found = groups.filter(({ items }) => items.length > 0);
  const emptyText = text === "" ? search.hint : search.nothing(text);
  const main = html`<h1>${text === "" ? search.title : search.titleWith(text)}</h1>
${found.length === 0 && html`<p class="none" role="status">${emptyText}</p>`}
${found.map(({ title, items }) => html`<h2>${title}</h2>${itemList(texts, items, "")}`)}`;
  return { tab: null, title: search.title, main };
};

export const searchSection: ConsoleSection = { pages: { search: searchPage } };
