import type { SandboxControl } from "../control/control.ts";
import { ApiError } from "../domain/api-error.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { requestOrigin } from "../http/request-origin.ts";
import { html } from "../pages/html.ts";
import type { PageRequest } from "../pages/page-request.ts";
import type { Service } from "../runtime/service.ts";
import { consoleDocument, type PageMessages } from "./components/document.ts";
import { flashMessageText } from "./components/flash-messages.ts";
import { consolePath, pageUrl } from "./components/page-url.ts";
import type { ConsoleView } from "./components/section.ts";
import { actions, handlerFor, pageContaining, pages } from "./routes.ts";

/** Handles pages and buttons of the console. A rejected action shows its error on the page of the button. */
export async function handleConsoleRequest(
  service: Service,
  control: SandboxControl,
  request: PageRequest,
): Promise<HttpResponse> {
  await service.paymentScheduler.runDue();
  const { method, path, query } = request;
  if (method === "POST") return handleAction(service, control, request);
  return renderPage({ service, control, path, query, draft: new URLSearchParams() });
}

async function handleAction(service: Service, control: SandboxControl, request: PageRequest): Promise<HttpResponse> {
  const { path, headers, form } = request;
  const emptyParams = new URLSearchParams();
  // The page that shows the problem when the action is rejected.
  const buttonPage = { service, control, path: pageContaining(path), query: emptyParams, draft: form };
  if (requestOrigin(headers, service.addresses.baseUrl) !== "own") {
    const problem = "Forms are accepted only from pages of the console. Programs use the control API.";
    return renderPage({ ...buttonPage, path: "", draft: emptyParams }, { problem, status: 403 });
  }
  try {
    const { handler: perform, id } = handlerFor(actions, path);
    const { to, flashMessage, secret } = await perform({ service, control, id, form });
    if (secret === undefined) return redirect(`${to}?done=${flashMessage}`);
    // A secret is in no URL and on no page that can be opened again, so the response to the form is the page that shows it.
    const next = { ...buttonPage, path: to.slice(consolePath.length), draft: emptyParams };
    return renderPage(next, { secret, flashMessage: flashMessageText(flashMessage) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return renderPage(buttonPage, { problem: problemText(error), status: error.status });
  }
}

/** The sentence of an error, with what is wrong with each field of the form. */
function problemText({ message, code, details = {} }: ApiError): string {
  if (code !== "validation_failed") return message;
  return Object.entries(details)
    .map(([field, problems]) => `${field}: ${[problems].flat().join(", ")}.`)
    .join(" ");
}

type RequestedPage = {
  service: Service;
  control: SandboxControl;
  path: string;
  query: URLSearchParams;
  draft: URLSearchParams;
};

type PageOverrides = Partial<PageMessages> & { status?: number };

/** Renders a page with its messages, if any. If the resource of the page is unknown, the page shows only that error. */
async function renderPage(
  requested: RequestedPage,
  { status = 200, ...messages }: PageOverrides = {},
): Promise<HttpResponse> {
  const { service, path, query } = requested;
  const view = await showPage(requested).catch((error: unknown) => {
    if (error instanceof ApiError) return notFoundView(error);
    throw error;
  });
  if (view.redirectTo !== undefined) return redirect(view.redirectTo);
  // `done` names the flash message, which the page shows only once.
  const queryToPoll = new URLSearchParams(query);
  queryToPoll.delete("done");
  const url = `${consolePath}${path}${queryToPoll.size > 0 ? `?${queryToPoll}` : ""}`;
  const shownMessages = { flashMessage: flashMessageText(query.get("done")), problem: null, secret: null, ...messages };
  const isNotFoundPage = view.status !== undefined;
  if (isNotFoundPage) shownMessages.problem = null;
  return consoleDocument(service, { status, ...view }, url, shownMessages);
}

async function showPage({ path, ...requested }: RequestedPage): Promise<ConsoleView> {
  const { handler, id } = handlerFor(pages, path);
  return handler({ ...requested, id });
}

function notFoundView({ message, status }: ApiError): ConsoleView {
  const main = html`<h1>${message}</h1><p>A reset may have deleted it. <a href="${pageUrl()}">To the overview</a></p>`;
  return { tab: "", title: message, main, status };
}

function redirect(to: string): HttpResponse {
  return { status: 303, headers: { Location: to, "Cache-Control": "no-store" }, body: null };
}
