import type { SandboxControl } from "../control/control.ts";
import { ApiError } from "../domain/api-error.ts";
import type { HttpResponse } from "../http/http-response.ts";
import { requestOrigin } from "../http/request-origin.ts";
import { type Html, html } from "../pages/html.ts";
import { pickLanguage } from "../pages/language.ts";
import type { PageRequest } from "../pages/page-request.ts";
import type { Service } from "../runtime/service.ts";
import { consoleDocument, type PageMessages } from "./components/document.ts";
import { consolePath, pageUrl } from "./components/page-url.ts";
import { type ConsoleView, FormProblem, type PageContext } from "./components/section.ts";
import { actions, handlerFor, pageContaining, pages } from "./routes.ts";
import { type ConsoleTexts, consoleTexts } from "./texts/texts.ts";

/** Handles pages and buttons of the console. A rejected action shows its error on the page of the button. */
export async function handleConsoleRequest(
  service: Service,
  control: SandboxControl,
  request: PageRequest,
): Promise<HttpResponse> {
  await service.paymentScheduler.runDue();
  const { method, path, query } = request;
  const context = { service, control, texts: textsFor(request) };
  if (method === "POST") return handleAction(context, request);
  if (query.has("lang")) return rememberLanguage(request);
  return renderPage({ ...context, path, query, draft: new URLSearchParams() });
}

const languageCookie = "sandbox_language";

/** The texts in the language that the visitor chose, else in the one that the browser prefers. */
function textsFor({ headers }: PageRequest): ConsoleTexts {
  const chosen = new RegExp(`(?:^|; ?)${languageCookie}=(\\w+)`).exec(headers.cookie ?? "")?.[1] ?? null;
  return consoleTexts[pickLanguage(chosen, headers["accept-language"])];
}

/** Stores the language of `?lang=` in a cookie, so that no link needs to carry it, and opens the same page in it. */
function rememberLanguage({ path, query }: PageRequest): HttpResponse {
  const { lang, ...rest } = Object.fromEntries(query);
  const { status, headers, body } = redirect(pathWith(path, new URLSearchParams(rest)));
  const cookie = `${languageCookie}=${pickLanguage(lang ?? null, undefined)}; Path=${consolePath}; Max-Age=31536000; SameSite=Lax; HttpOnly`;
  return { status, headers: { ...headers, "Set-Cookie": cookie }, body };
}

function pathWith(path: string, query: URLSearchParams): string {
  return `${consolePath}${path}${query.size > 0 ? `?${query}` : ""}`;
}

type ConsoleContext = PageContext & { control: SandboxControl };

async function handleAction(context: ConsoleContext, request: PageRequest): Promise<HttpResponse> {
  const { service, texts } = context;
  const { path, headers, form } = request;
  const emptyParams = new URLSearchParams();
  // The page that shows the problem when the action is rejected.
  const buttonPage = { ...context, path: pageContaining(path), query: emptyParams, draft: form };
  if (requestOrigin(headers, service.addresses.baseUrl) !== "own") {
    const problem = texts.problems.foreignForm;
    return renderPage({ ...buttonPage, path: "", draft: emptyParams }, { problem, status: 403 });
  }
  try {
    const { handler: perform, id } = handlerFor(actions, path);
    const { to, flashMessage, secret } = await perform({ ...context, id, form });
    if (secret === undefined) return redirect(`${to}?done=${flashMessage}`);
    // A secret is in no URL and on no page that can be opened again, so the response to the form is the page that shows it.
    const next = { ...buttonPage, path: to.slice(consolePath.length), draft: emptyParams };
    return renderPage(next, { secret, flashMessage: flashMessageText(texts, flashMessage) });
  } catch (error) {
    if (error instanceof FormProblem) return renderPage(buttonPage, { problem: error.message, status: error.status });
    if (!(error instanceof ApiError)) throw error;
    return renderPage(buttonPage, { problem: apiProblem(texts, error), status: error.status });
  }
}

/** What the API answered. It answers in English, whatever the language of the page. */
function apiProblem({ language, problems }: ConsoleTexts, error: ApiError): Html | string {
  const answer = answerText(error);
  return language === "en" ? answer : html`${problems.apiSays} <span lang="en">${answer}</span>`;
}

/** The sentence of an error, with what is wrong with each field of the form. */
function answerText({ message, code, details = {} }: ApiError): string {
  if (code !== "validation_failed") return message;
  return Object.entries(details)
    .map(([field, problems]) => `${field}: ${[problems].flat().join(", ")}.`)
    .join(" ");
}

type RequestedPage = ConsoleContext & {
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
  const { texts, path, query } = requested;
  const view = await showPage(requested).catch((error: unknown) => {
    if (error instanceof ApiError) return notFoundView(texts, error);
    throw error;
  });
  if (view.redirectTo !== undefined) return redirect(view.redirectTo);
  // `done` names the flash message, which the page shows only once.
  const queryToPoll = new URLSearchParams(query);
  queryToPoll.delete("done");
  const url = pathWith(path, queryToPoll);
  const shownMessages = {
    flashMessage: flashMessageText(texts, query.get("done")),
    problem: null,
    secret: null,
    ...messages,
  };
  const isNotFoundPage = view.status !== undefined;
  if (isNotFoundPage) shownMessages.problem = null;
  return consoleDocument(requested, { status, ...view }, url, shownMessages);
}

async function showPage({ path, ...requested }: RequestedPage): Promise<ConsoleView> {
  const { handler, id } = handlerFor(pages, path);
  return handler({ ...requested, id });
}

function notFoundView({ problems }: ConsoleTexts, { message, status }: ApiError): ConsoleView {
  const title = problems.notFound(message);
  const main = html`<h1>${title}</h1><p>${problems.maybeReset} <a href="${pageUrl()}">${problems.toOverview}</a></p>`;
  return { tab: "", title, main, status };
}

/** The message of a key in the URL. Null for an unknown key. */
function flashMessageText({ flashMessages }: ConsoleTexts, key: string | null): string | null {
  return key !== null && Object.hasOwn(flashMessages, key) ? flashMessages[key as keyof typeof flashMessages] : null;
}

function redirect(to: string): HttpResponse {
  return { status: 303, headers: { Location: to, "Cache-Control": "no-store" }, body: null };
}
