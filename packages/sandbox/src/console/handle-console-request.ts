import type { SandboxControl } from "../control/control.ts";
import { ApiError, notFound } from "../domain/api-error.ts";
import { normalId } from "../domain/identifiers.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { html } from "../pages/html.ts";
import type { PageRequest } from "../pages/page-request.ts";
import type { Service } from "../runtime/service.ts";
import { consoleDocument } from "./components/document.ts";
import { flashMessageText } from "./components/flash-messages.ts";
import { consolePath, pageUrl } from "./components/page-url.ts";
import type { ActionHandler, ConsoleSection, ConsoleView, PageHandler } from "./components/section.ts";
import { findById } from "./find-by-id.ts";
import { clockSection } from "./pages/clock.ts";
import { customerSection } from "./pages/customers.ts";
import { deliverySection } from "./pages/deliveries.ts";
import { disputeSection } from "./pages/disputes.ts";
import { eventSection } from "./pages/events.ts";
import { faultSection } from "./pages/faults.ts";
import { networkSection } from "./pages/network.ts";
import { overviewSection } from "./pages/overview.ts";
import { refundSection } from "./pages/refunds.ts";
import { requestSection } from "./pages/requests.ts";
import { sessionSection } from "./pages/sessions.ts";
import { settingsSection } from "./pages/settings.ts";
import { transactionSection } from "./pages/transactions.ts";
import { isSameOriginForm } from "./same-origin.ts";

const sections: readonly ConsoleSection[] = [
  overviewSection,
  sessionSection,
  transactionSection,
  refundSection,
  customerSection,
  disputeSection,
  eventSection,
  deliverySection,
  requestSection,
  networkSection,
  clockSection,
  faultSection,
  settingsSection,
];
const pages: Record<string, PageHandler> = Object.assign({}, ...sections.map((section) => section.pages));
const actions: Record<string, ActionHandler> = Object.assign({}, ...sections.map((section) => section.actions ?? {}));

/** Handles pages and buttons of the console. A rejected action shows its error on the page of the button. */
export async function handleConsoleRequest(
  service: Service,
  control: SandboxControl,
  request: PageRequest,
): Promise<HttpResponse> {
  await service.paymentScheduler.runDue();
  const { method, path, query } = request;
  if (method === "POST") return handleAction(service, control, request);
  const requested = { service, control, path, query };
  if (path !== "/find") return renderPage(requested);
  const id = query.get("id") ?? "";
  const found = await findById(service, control, id);
  return found === null
    ? renderPage({ ...requested, path: "" }, `No resource has the id ${id}.`, 404)
    : redirect(found);
}

async function handleAction(service: Service, control: SandboxControl, request: PageRequest): Promise<HttpResponse> {
  const { path, headers, form } = request;
  const buttonPage = { service, control, path: pageContaining(path), query: new URLSearchParams() };
  if (!isSameOriginForm(headers, service.addresses.baseUrl)) {
    const problem = "Forms are accepted only from pages of the console. Programs use the control API.";
    return renderPage({ ...buttonPage, path: "" }, problem, 403);
  }
  try {
    const { handler: perform, id } = handlerFor(actions, path);
    const { to, flashMessage } = await perform({ service, control, id, form });
    return redirect(`${to}?done=${flashMessage}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return renderPage(buttonPage, error.message, error.status);
  }
}

type RequestedPage = { service: Service; control: SandboxControl; path: string; query: URLSearchParams };

/** Renders a page with the problem, if any. If the resource of the page is unknown, the page shows only that error. */
async function renderPage(
  requested: RequestedPage,
  problem: string | null = null,
  status = 200,
): Promise<HttpResponse> {
  const { service, path, query } = requested;
  const view = await showPage(requested).catch((error: unknown) => {
    if (error instanceof ApiError) return notFoundView(error);
    throw error;
  });
  const queryToPoll = new URLSearchParams(query);
  queryToPoll.delete("done");
  const url = `${consolePath}${path}${queryToPoll.size > 0 ? `?${queryToPoll}` : ""}`;
  const messages = {
    flashMessage: flashMessageText(query.get("done")),
    problem: view.status === undefined ? problem : null,
  };
  return consoleDocument(service, { status, ...view }, url, messages);
}

async function showPage({ service, control, path, query }: RequestedPage): Promise<ConsoleView> {
  const { handler, id } = handlerFor(pages, path);
  return handler({ service, control, id, query });
}

function notFoundView({ message, status }: ApiError): ConsoleView {
  const main = html`<h1>${message}</h1><p>A reset may have deleted it. <a href="${pageUrl()}">To the overview</a></p>`;
  return { tab: "", title: message, main, status };
}

/** Finds the handler of a path. `{id}` is the only parameter and always the second segment. */
function handlerFor<Handler>(table: Record<string, Handler>, path: string): { handler: Handler; id: string } {
  const [first = "", id = "", ...rest] = path.split("/").slice(1);
  const exact = Object.entries(table).find(([name]) => `/${name}` === (path === "" ? "/" : path));
  if (exact !== undefined) return { handler: exact[1], id: "" };
  const pattern = [first, "{id}", ...rest].join("/");
  const handler = Object.hasOwn(table, pattern) ? table[pattern] : undefined;
  if (handler === undefined) throw notFound("Page");
  return { handler, id: normalId(decoded(id)) };
}

/** The page that contains a button: the nearest page above the path of the action. */
function pageContaining(path: string): string {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const [first = "", ...ids] = above.split("/").slice(1);
  const name = ids.length === 0 ? first : `${first}/{id}`;
  return above === "" || Object.hasOwn(pages, name) ? above : pageContaining(above);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function redirect(to: string): HttpResponse {
  return { status: 303, headers: { Location: to, "Cache-Control": "no-store" }, body: null };
}
