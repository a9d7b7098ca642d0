import { listDeliveries } from "../../control/delivery-records.ts";
import { listEvents } from "../../control/event-records.ts";
import { html } from "../../pages/html.ts";
import { detailList } from "../components/details.ts";
import { durationText } from "../components/duration.ts";
import { countText, deliveryListItem, eventListItem, sessionListItem } from "../components/list-items.ts";
import { itemList } from "../components/lists.ts";
import { pageUrl } from "../components/page-url.ts";
import type { ConsoleSection, PageHandler } from "../components/section.ts";

const rowsPerList = 5;

const overviewPage: PageHandler = async ({ service, control }) => {
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
  const main = html`<h1>Overview</h1>
<p class="control-form"><a class="button" href="${pageUrl("sessions", "new")}">New session</a><a class="button quiet" href="${pageUrl("endpoints", "new")}">New endpoint</a></p>
${detailList({
  API: html`<code>${service.addresses.baseUrl}</code>`,
  "Control API": html`<code>${service.addresses.controlUrl}</code>`,
  Clock: offset > 0 && html`<a href="${pageUrl("clock")}">${durationText(offset)} ahead of this machine</a>`,
  Faults: faults > 0 && html`<a href="${pageUrl("faults")}">${countText(faults, "fault waits", "faults wait")}</a>`,
})}
<h2>Newest sessions</h2>
${itemList(
  sessions.map((session) => sessionListItem(service, session)),
  "None: a session appears when a shop opens a checkout.",
)}
<h2>Newest events</h2>
${itemList(
  events.items.map((event) => eventListItem(event)),
  "None yet.",
)}
${
  failed.items.length > 0 &&
  html`<h2>Failed deliveries</h2>${itemList(
    failed.items.map((delivery) => deliveryListItem(delivery)),
    "",
  )}`
}`;
  return { tab: "", title: "Overview", main };
};

export const overviewSection: ConsoleSection = { pages: { "": overviewPage } };
