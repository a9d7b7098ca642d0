import { listDeliveries, listEvents } from "../control/records.ts";
import { html } from "../page/html.ts";
import { pageUrl } from "./address.ts";
import { spanText } from "./clock.ts";
import { facts } from "./facts.ts";
import { field } from "./forms.ts";
import { count, deliveryItem, eventItem, sessionItem } from "./items.ts";
import { rowList } from "./rows.ts";
import type { Pages, Show } from "./visit.ts";

const rowsOfEach = 5;

const show: Show = async ({ service, control }) => {
  const { rows } = service.store;
  const newest = { limit: rowsOfEach, offset: 0 };
  const sessions = await rows.selectFrom("sessions").selectAll().orderBy("seq", "desc").limit(rowsOfEach).execute();
  const events = await listEvents(rows, newest);
  const failed = await listDeliveries(rows, newest, { state: "failed" });
  const faults = control.listFaults().length;
  const offset = service.clock.offsetMs();
  const main = html`<h1>Overview</h1>
<form class="find" action="${pageUrl("find")}">${field("id", "Find by id", "", html`required maxlength="100" placeholder="session, transaction, request…"`)}<button class="quiet">Find</button></form>
${facts({
  API: html`<code>${service.addresses.baseUrl}</code>`,
  "Control API": html`<code>${service.addresses.controlUrl}</code>`,
  Clock: offset > 0 && html`<a href="${pageUrl("clock")}">${spanText(offset)} ahead of this machine</a>`,
  Faults: faults > 0 && html`<a href="${pageUrl("faults")}">${count(faults, "fault waits", "faults wait")}</a>`,
})}
<h2>Newest sessions</h2>
${rowList(
  sessions.map((session) => sessionItem(service, session)),
  "None: a session appears when a shop opens a checkout.",
)}
<h2>Newest events</h2>
${rowList(
  events.items.map((event) => eventItem(service, event)),
  "None yet.",
)}
${
  failed.items.length > 0 &&
  html`<h2>Deliveries that failed</h2>${rowList(
    failed.items.map((delivery) => deliveryItem(service, delivery)),
    "",
  )}`
}`;
  return { tab: "", title: "Overview", main };
};

export const overviewPages: Pages = { shows: { "": show } };
