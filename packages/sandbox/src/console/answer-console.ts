import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "../api/answer.ts";
import type { SandboxControl } from "../control/control.ts";
import { html } from "../page/html.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import { consolePath, pageUrl } from "./address.ts";
import { clockPages } from "./clock.ts";
import { customerPages } from "./customers.ts";
import { deliveryPages } from "./deliveries.ts";
import { disputePages } from "./disputes.ts";
import { documentAnswer } from "./document.ts";
import { eventPages } from "./events.ts";
import { faultPages } from "./faults.ts";
import { find } from "./find.ts";
import { networkPages } from "./network.ts";
import { noticeText } from "./notices.ts";
import { overviewPages } from "./overview.ts";
import { isFromOwnPage } from "./own-page.ts";
import { refundPages } from "./refunds.ts";
import { requestPages } from "./requests.ts";
import { sessionPages } from "./sessions.ts";
import { settingsPages } from "./settings.ts";
import { transactionPages } from "./transactions.ts";
import type { Act, Pages, Show, View } from "./visit.ts";

export type ConsoleRequest = {
  method: string;
  /** Below the console's own: `/sessions/…`, or empty. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
};

const all: readonly Pages[] = [
  overviewPages,
  sessionPages,
  transactionPages,
  refundPages,
  customerPages,
  disputePages,
  eventPages,
  deliveryPages,
  requestPages,
  networkPages,
  clockPages,
  faultPages,
  settingsPages,
];
const shows: Record<string, Show> = Object.assign({}, ...all.map((pages) => pages.shows));
const acts: Record<string, Act> = Object.assign({}, ...all.map((pages) => pages.acts ?? {}));

/** Answers the console: pages to look at, and the buttons on them. What cannot be is said on the page it was tried from. */
export async function answerConsole(
  service: Service,
  control: SandboxControl,
  request: ConsoleRequest,
): Promise<Answer> {
  await service.timetable.catchUp();
  const { method, path, query } = request;
  if (method === "POST") return press(service, control, request);
  const view = { service, control, path, query };
  if (method !== "GET" && method !== "HEAD") return page(view, "The console takes GET and POST.", 405);
  if (path !== "/find") return page(view);
  const id = query.get("id") ?? "";
  const found = await find(service, control, id);
  return found === null ? page({ ...view, path: "" }, `Nothing here has the id ${id}.`, 404) : redirect(found);
}

async function press(service: Service, control: SandboxControl, request: ConsoleRequest): Promise<Answer> {
  const { path, headers, form } = request;
  const back = { service, control, path: pageOf(path), query: new URLSearchParams() };
  if (!isFromOwnPage(headers)) {
    const refusal = "Buttons work from the console's own pages only. Programs use the control API.";
    return page({ ...back, path: "" }, refusal, 403);
  }
  try {
    const { handler: act, id } = handlerFor(acts, path);
    const { to, notice } = await act({ service, control, id, form });
    return redirect(`${to}?done=${notice}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return page(back, error.message, error.status);
  }
}

type Asked = { service: Service; control: SandboxControl; path: string; query: URLSearchParams };

/** A page that does not exist says so itself, in place of whatever was to be said on it. */
async function page(asked: Asked, problem: string | null = null, status = 200): Promise<Answer> {
  const { service, path, query } = asked;
  const view = await show(asked).catch((error: unknown) => {
    if (error instanceof Refusal) return missing(error);
    throw error;
  });
  const again = new URLSearchParams(query);
  again.delete("done");
  const url = `${consolePath}${path}${again.size > 0 ? `?${again}` : ""}`;
  const said = { notice: noticeText(query.get("done")), problem: view.status === undefined ? problem : null };
  return documentAnswer(service, { status, ...view }, url, said);
}

async function show({ service, control, path, query }: Asked): Promise<View> {
  const { handler, id } = handlerFor(shows, path);
  return handler({ service, control, id, query });
}

function missing({ message, status }: Refusal): View {
  const main = html`<h1>${message}</h1><p>It may have been forgotten by a reset. <a href="${pageUrl()}">To the overview</a></p>`;
  return { tab: "", title: message, main, status };
}

/** `{id}` is the one parameter a page may have, always in the second place. */
function handlerFor<Handler>(table: Record<string, Handler>, path: string): { handler: Handler; id: string } {
  const [first = "", id = "", ...rest] = path.split("/").slice(1);
  const exact = Object.entries(table).find(([name]) => `/${name}` === (path === "" ? "/" : path));
  if (exact !== undefined) return { handler: exact[1], id: "" };
  const pattern = [first, "{id}", ...rest].join("/");
  const handler = Object.hasOwn(table, pattern) ? table[pattern] : undefined;
  if (handler === undefined) throw notFound("Page");
  return { handler, id: decoded(id) };
}

/** The page that a button is on: the nearest one above its address. */
function pageOf(path: string): string {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const [first = "", ...ids] = above.split("/").slice(1);
  const name = ids.length === 0 ? first : `${first}/{id}`;
  return above === "" || Object.hasOwn(shows, name) ? above : pageOf(above);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function redirect(to: string): Answer {
  return { status: 303, headers: { Location: to, "Cache-Control": "no-store" }, body: null };
}
