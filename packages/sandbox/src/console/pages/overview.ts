import { listDeliveries } from "../../control/delivery-records.ts";
import { listEvents } from "../../control/event-records.ts";
import { html } from "../../pages/html.ts";
import { detailList } from "../components/details.ts";
import { durationText } from "../components/duration.ts";
import { deliveryListItem, eventListItem, sessionListItem } from "../components/list-items.ts";
import { itemList } from "../components/lists.ts";
import { pageUrl } from "../components/page-url.ts";
import type { ConsoleSection, PageHandler } from "../components/section.ts";

const rowsPerList = 5;

const overviewPage: PageHandler = async (request) => {
  const { service, control, texts } = request;
  const { overview, tabs, lists } = texts;
  const { database } = service.store;
  const newest = { limit: rowsPerList, offset: 0 };
  const sessions = await database
    .selectFrom("sessions")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(rowsPerList)
    .execute();
  const events = await listEvents(database, newest);
  const failed = await listDeliveries(database, newest, { state: "failed" });
  const faults = control.listFaults().length;
  const offset = service.clock.offsetMs();
  const main = html`<h1>${tabs[""]}</h1>
<p class="control-form"><a class="button" href="${pageUrl("sessions", "new")}">${texts.sessions.new}</a><a class="button quiet" href="${pageUrl("endpoints", "new")}">${texts.endpoints.new}</a></p>
${detailList({
  API: html`<code>${service.addresses.baseUrl}</code>`,
  [overview.controlApi]: html`<code>${service.addresses.controlUrl}</code>`,
  [tabs.clock]: offset > 0 && html`<a href="${pageUrl("clock")}">${overview.ahead(durationText(texts, offset))}</a>`,
  [tabs.faults]: faults > 0 && html`<a href="${pageUrl("faults")}">${overview.faultsWait(faults)}</a>`,
})}
<h2>${overview.newestSessions}</h2>
${itemList(
  texts,
  sessions.map((session) => sessionListItem(request, session)),
  texts.sessions.none,
)}
<h2>${overview.newestEvents}</h2>
${itemList(
  texts,
  events.items.map((event) => eventListItem(request, event)),
  lists.noneYet,
)}
${
  failed.items.length > 0 &&
  html`<h2>${overview.failedDeliveries}</h2>${itemList(
    texts,
    failed.items.map((delivery) => deliveryListItem(request, delivery)),
    "",
  )}`
}`;
  return { tab: "", title: tabs[""], main };
};

export const overviewSection: ConsoleSection = { pages: { "": overviewPage } };
