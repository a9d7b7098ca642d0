import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Engine, Ledger } from "@tillkit/core";
import express, { type Request, type RequestHandler, Router } from "express";
import { serverLimits } from "../limits.ts";
import type { CountLedger } from "../observability/ledger-counts.ts";
import { html } from "../pages/html.ts";
import { createErrorHandler } from "./error-handler.ts";
import { acceptDifference, refundHeld, retryJob, showAcceptForm, showRefundForm } from "./handlers/decisions.ts";
import { showDisputes } from "./handlers/disputes.ts";
import { sendExportFile, showExportForm } from "./handlers/export.ts";
import { findPayment, showDeadJobs, showDeliveries, showOverview, showPayments } from "./handlers/lists.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./handlers/operator-request.ts";
import { showPayment } from "./handlers/payment.ts";
import { createLogin } from "./login/login.ts";
import type { Session, Sessions } from "./login/sessions.ts";
import { redirectPage } from "./pages/login-page.ts";
import type { PageContext } from "./pages/page-context.ts";
import { contextOf, createLanguageCookie, stringFields } from "./request-context.ts";
import { sendOperatorResponse } from "./send-operator-response.ts";

export type OperatorsOptions = {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly count: CountLedger;
  storeIds(): Promise<readonly string[]>;
  readonly sessions: Sessions;
  /** Path of the overview, as the browser sees it. */
  readonly base: string;
};

type Handler = (request: OperatorRequest) => Promise<OperatorResponse>;

const PAGES: Readonly<Record<string, Handler>> = {
  "/": showOverview,
  "/payments": showPayments,
  "/payments/:id": showPayment,
  "/payments/:id/accept": showAcceptForm,
  "/payments/:id/refund": showRefundForm,
  "/disputes": showDisputes,
  "/find": findPayment,
  "/deliveries": showDeliveries,
  "/dead": showDeadJobs,
  "/export": showExportForm,
  "/export.csv": sendExportFile,
};

const FORMS: Readonly<Record<string, Handler>> = {
  "/payments/:id/accept": acceptDifference,
  "/payments/:id/refund": refundHeld,
  "/jobs/:id/retry": retryJob,
};

/** The operators' pages. Every page and form but the login needs a session that was opened with a token. */
export function createOperatorsRouter(options: OperatorsOptions): Router {
  const { engine, base } = options;
  const router = Router();
  router.use(express.urlencoded({ extended: false, limit: serverLimits.maxFormBytes, parameterLimit: 10 }));
  router.use(createLanguageCookie(base));
  addLoginRoutes(router, options);
  for (const [path, handler] of Object.entries(PAGES)) router.get(path, forOperators(options, handler, false));
  for (const [path, handler] of Object.entries(FORMS)) router.post(path, forOperators(options, handler, true));
  router.use(forOperators(options, async ({ context }) => pageResponse(missingPage(context), 404), false));
  router.use(createErrorHandler(engine));
  return router;
}

function forOperators(options: OperatorsOptions, handler: Handler, isForm: boolean): RequestHandler {
  const { sessions, base } = options;
  return async function handleOperator(request, response) {
    const session = await sessions.read(request.headers.cookie);
    const context = contextOf(request, base, session);
    if (!session?.isOperator) return sendOperatorResponse(request, response, toLogin(request, context), context);
    const fields = stringFields(request.body);
    const isOwnForm = !isForm || constantTimeEqual(fields.form ?? "", session.formToken);
    const query = stringFields(request.query);
    const operatorRequest = { ...options, context, id: String(request.params.id ?? ""), query, fields };
    const answer = isOwnForm ? await handler(operatorRequest) : redirectTo(operatorRequest, "/?problem=form_expired");
    await sendOperatorResponse(request, response, answer, context);
  };
}

function addLoginRoutes(router: Router, { engine, sessions, base }: OperatorsOptions): void {
  const login = createLogin({ sessions, clock: engine.clock, log: engine.log });

  router.get("/login", async (request, response) => {
    const opened = login.open(await sessions.read(request.headers.cookie));
    const context = contextOf(request, base, opened.session);
    const answer = login.show(opened.session, stringFields(request.query).next ?? "", context);
    await sendOperatorResponse(request, response, answer, context, opened.cookie);
  });
  router.post("/login", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const context = contextOf(request, base, session);
    const answer = login.logIn(session, stringFields(request.body), request.ip ?? "", context);
    await sendOperatorResponse(request, response, answer, context);
  });
  router.post("/logout", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const context = contextOf(request, base, session);
    const answer = await logout(sessions, session, stringFields(request.body).form ?? "", context);
    await sendOperatorResponse(request, response, answer, context);
  });
}

// A form of another site comes without the cookie, and so without a session.
async function logout(
  sessions: Sessions,
  session: Session | null,
  formToken: string,
  context: PageContext,
): Promise<OperatorResponse> {
  const isOwnForm = session !== null && constantTimeEqual(formToken, session.formToken);
  if (!isOwnForm) return redirectTo({ context }, session?.isOperator ? "/?problem=form_expired" : "/login");
  return { kind: "redirect", url: `${context.base}/login`, cookie: await sessions.end(session) };
}

// A browser sends no SameSite cookie when a link of another site, such as a webmail, leads here. From our own page it sends the cookie.
function toLogin(request: Request, context: PageContext): OperatorResponse {
  const isPage = request.method === "GET" || request.method === "HEAD";
  const url = `${context.base}${isPage ? request.url : ""}`;
  if (isPage && request.headers["sec-fetch-site"] === "cross-site") return pageResponse(redirectPage(url, context));
  return redirectTo({ context }, `/login?next=${encodeURIComponent(isPage ? request.url : "/")}`);
}

function missingPage({ texts }: PageContext) {
  return { title: texts.pageNotFound, body: html`<h1>${texts.pageNotFound}</h1>`, menuItem: null };
}
