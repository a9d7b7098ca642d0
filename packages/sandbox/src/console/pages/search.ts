import { html } from "../../pages/html.ts";
import { itemList } from "../components/lists.ts";
import type { ConsoleSection, PageHandler } from "../components/section.ts";
import { findById } from "../search/find-by-id.ts";
import { findMatches } from "../search/find-matches.ts";

/** A whole id redirects to the page of its resource. For any other text, the page lists the resources that contain the text. */
const searchPage: PageHandler = async ({ service, control, query }) => {
  const text = (query.get("q") ?? "").trim().slice(0, 100);
  const redirectTo = text === "" ? null : await findById(service, control, text);
  if (redirectTo !== null) return { tab: null, title: "Search", main: html``, redirectTo };
  const groups = text === "" ? [] : await findMatches(service, control, text);
  const found = groups.filter(({ items }) => items.length > 0);
  const emptyText =
    text === ""
      ? "Type an order, or the id of a session, transaction, request, event, delivery, refund, customer or endpoint."
      : `Nothing contains “${text}”: neither an order of a session, nor an id.`;
  const main = html`<h1>${text === "" ? "Search" : `Search: ${text}`}</h1>
${found.length === 0 && html`<p class="none" role="status">${emptyText}</p>`}
${found.map(({ title, items }) => html`<h2>${title}</h2>${itemList(items, "")}`)}`;
  return { tab: null, title: "Search", main };
};

export const searchSection: ConsoleSection = { pages: { search: searchPage } };
