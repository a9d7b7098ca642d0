import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Engine, Environment, Ledger } from "@tillkit/core";
import { type Request, type RequestHandler, Router } from "express";
import type { FindWarnings } from "../attention/warnings.ts";
import { formBodies } from "../http/read-bodies.ts";
import { serverLimits } from "../limits.ts";
import type { CountLedger, LedgerCounts } from "../observability/ledger-counts.ts";
import type { SelfService } from "../options/operator-options.ts";
import { isServed } from "../stores/store-registry.ts";
import { createErrorHandler } from "./error-handler.ts";
import { showActs } from "./handlers/acts.ts";
import {
  answerDisputeOutcome,
  answerRefundResult,
  chooseTransaction,
  showDisputeOutcome,
  showRefundResult,
  showTransactionChoice,
} from "./handlers/answers.ts";
import {
  acceptDifference,
  answerInstallation,
  endJob,
  retryAllJobs,
  retryJob,
  showAcceptForm,
} from "./handlers/decisions.ts";
import { showDelivery } from "./handlers/delivery.ts";
import { showDisputes } from "./handlers/disputes.ts";
import { showEndpoint, showEndpoints, testEndpoint } from "./handlers/endpoints.ts";
import { sendChosenPayments, sendExportFile, showExportForm } from "./handlers/export.ts";
import { findPayment } from "./handlers/find.ts";
import { showDeadJobs, showDeliveries, showPayments } from "./handlers/lists.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse, redirectTo } from "./handlers/operator-request.ts";
import { showOverview } from "./handlers/overview.ts";
import { showPayment } from "./handlers/payment.ts";
import { confirmRefund, previewRefund, showRefundForm, showRefunds } from "./handlers/refunds.ts";
import { showSettlement } from "./handlers/settlement.ts";
import { changeShop, inviteShop, showShops, withdrawInvitation } from "./handlers/shops.ts";
import { showTechnical } from "./handlers/technical.ts";
import { createLogin, sessionAct } from "./login/login.ts";
import type { LoginLinks } from "./login/login-links.ts";
import type { Session, Sessions } from "./login/sessions.ts";
import { modeOf, namedMode, readModePrefix } from "./mode.ts";
import { redirectPage } from "./pages/login-page.ts";
import { menuPage } from "./pages/menu-page.ts";
import { missingPage } from "./pages/missing-page.ts";
import type { PageContext } from "./pages/page-context.ts";
import { PAGE_OF_FORM } from "./pages/page-of-form.ts";
import { zonePage } from "./pages/zone-page.ts";
import { ledgerOfStore, type PagesLedger } from "./pages-ledger.ts";
import { contextOf, createChoiceCookies, inMode, stringFields } from "./request-context.ts";
import { sendOperatorResponse } from "./send-operator-response.ts";

export type OperatorsOptions = {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly countLedger: Readonly<Record<Environment, CountLedger>>;
  storeIds(): Promise<readonly string[]>;
  /** The webhook endpoints that are configured. */
  endpointIds(): Promise<readonly string[]>;
  readonly findWarnings: FindWarnings;
  /** The address of this server, as the service reaches it. */
  readonly publicUrl: string;
  readonly sessions: Sessions;
  readonly loginLinks: LoginLinks;
  /** Path of the overview, as the browser sees it. */
  readonly base: string;
  /** Stores that their owners connect; null where the configuration lists all stores. */
  readonly selfService: SelfService | null;
};

const SECOND = 1_000;

type Handler = (request: OperatorRequest) => Promise<OperatorResponse>;

const PAGES: Readonly<Record<string, Handler>> = {
  "/": showOverview,
  "/payments": showPayments,
  "/payments/:id": showPayment,
  "/refunds": showRefunds,
  "/disputes": showDisputes,
  "/find": findPayment,
  "/deliveries": showDeliveries,
  "/deliveries/:endpoint/:id": showDelivery,
  "/time-zone": async ({ context }) => pageResponse(zonePage(context)),
  "/endpoints": showEndpoints,
  "/endpoints/:id": showEndpoint,
  "/dead": showDeadJobs,
  "/export": showExportForm,
  "/export.csv": sendExportFile,
  "/chosen.csv": sendChosenPayments,
  "/settlement": showSettlement,
  "/acts": showActs,
  "/shops": showShops,
  "/technical": showTechnical,
  "/menu": async ({ context }) => pageResponse(menuPage(context)),
};

/** What the owner of a shop may open beside the pages of a payment, each for this shop only. */
const OWNER_PAGES: ReadonlySet<string> = new Set([
  "/",
  "/payments",
  "/refunds",
  "/disputes",
  "/find",
  "/time-zone",
  "/export",
  "/export.csv",
  "/chosen.csv",
  "/settlement",
  "/menu",
]);

/** Pages that only lead to a decision: viewers do not see them. */
const DECISION_PAGES: Readonly<Record<string, Handler>> = {
  "/payments/:id/accept": showAcceptForm,
  "/payments/:id/refund": showRefundForm,
  "/payments/:id/refund/result": showRefundResult,
  "/payments/:id/dispute": showDisputeOutcome,
  "/payments/:id/transaction": showTransactionChoice,
};

const FORMS: Readonly<Record<string, Handler>> = {
  "/payments/:id/accept": acceptDifference,
  "/payments/:id/refund": previewRefund,
  "/payments/:id/refund/confirm": confirmRefund,
  "/payments/:id/refund/result": answerRefundResult,
  "/payments/:id/dispute": answerDisputeOutcome,
  "/payments/:id/transaction": chooseTransaction,
  "/installations": answerInstallation,
  "/jobs/:id/retry": retryJob,
  "/jobs/:id/recorded": endJob,
  "/jobs/retry-all": retryAllJobs,
  "/endpoints/:id/test": testEndpoint,
  "/shops/invite": inviteShop,
  "/invitations/:id/withdraw": withdrawInvitation,
  "/shops/:id/:act": changeShop,
};

/** The operators' pages. Every page and form but the login needs a session that was opened with a token. */
export function createOperatorsRouter(options: OperatorsOptions): Router {
  const { engine, base } = options;
  const router = Router();
  router.use(formBodies(serverLimits.maxFormBytes, engine.clock));
  router.use(createChoiceCookies(base));
  router.use(readModePrefix());
  addLoginRoutes(router, options);
  for (const [path, handler] of Object.entries(PAGES))
    router.get(path, forOperators(options, forPeopleOf(path, handler)));
  for (const [path, handler] of Object.entries(DECISION_PAGES))
    router.get(path, forOperators(options, forPeopleOf(path, forDeciders(handler))));
  for (const [path, handler] of Object.entries(FORMS))
    router.post(path, forOperators(options, forPeopleOf(path, forDeciders(handler)), { isForm: true }));
  for (const [path, page] of Object.entries(PAGE_OF_FORM)) router.get(path, forOperators(options, leadTo(page)));
  router.use(forOperators(options, showMissingPage));
  router.use(createErrorHandler(options));
  return router;
}

function leadTo(page: string): Handler {
  return async (request) => redirectTo(request, page.replace(":id", encodeURIComponent(request.id)));
}

const showMissingPage: Handler = async ({ context }) =>
  pageResponse(missingPage(context.texts.pageNotFound, context), 404);

/** For the owner of a shop, a page that is not theirs does not exist. */
function forPeopleOf(path: string, handler: Handler): Handler {
  const isForOwners = OWNER_PAGES.has(path) || path === "/payments/:id" || path.startsWith("/payments/:id/");
  return async (request) =>
    isForOwners || request.context.operator.storeId === null ? await handler(request) : await showMissingPage(request);
}

/** Redirects an operator with a viewer's token to a notice that says why nothing happened. */
function forDeciders(handler: Handler): Handler {
  return async (request) =>
    request.context.operator.canDecide ? await handler(request) : redirectTo(request, "/?problem=viewer");
}

function forOperators(options: OperatorsOptions, handler: Handler, { isForm } = { isForm: false }): RequestHandler {
  const { sessions } = options;
  return async function handleOperator(request, response) {
    const session = await sessions.read(request.headers.cookie);
    const named = namedMode(response);
    const visited = contextOf(request, options, session, named);
    const seen = session?.isOperator ? await seenBy(session, options) : null;
    if (!session || seen === null) return sendOperatorResponse(request, response, toLogin(request, visited), visited);
    const mode = await modeOf(request, seen.ledger, named);
    const context = inMode(visited, mode, isForm ? null : await seen.countLedger[mode]());
    const isOfOtherMode = !isForm && named !== null && named !== mode;
    if (isOfOtherMode) return sendOperatorResponse(request, response, redirectTo({ context }, request.url), context);
    const fields = stringFields(request.body);
    const isOwnForm = !isForm || constantTimeEqual(fields.form ?? "", session.formToken);
    const query = stringFields(request.query);
    const params = stringFields(request.params);
    const chosen = chosenIn(request);
    const operatorRequest = { ...seen, context, id: params.id ?? "", params, query, chosen, fields };
    const answer = isOwnForm ? await handler(operatorRequest) : redirectTo(operatorRequest, "/?problem=form_expired");
    await sendOperatorResponse(request, response, answer, await withCounts(context, answer, seen.countLedger[mode]));
  };
}

/** Most forms answer with a redirect, which shows no counts; the page that asks to confirm a refund shows them as every page does. */
async function withCounts(
  context: PageContext,
  answer: OperatorResponse,
  count: () => Promise<LedgerCounts | null>,
): Promise<PageContext> {
  return answer.kind === "page" && context.counts === null ? { ...context, counts: await count() } : context;
}

/** The payments that were chosen in a list. */
function chosenIn({ query }: Request): readonly string[] {
  return [query.payment ?? []].flat().filter((id) => typeof id === "string");
}

type Seen = Omit<OperatorsOptions, "ledger" | "countLedger"> & {
  readonly ledger: PagesLedger;
  readonly countLedger: Readonly<Record<Environment, () => Promise<LedgerCounts | null>>>;
};

/** Everything that a page is made of, as a person may see it; null for the owner of a shop that has left. */
async function seenBy({ operator: { storeId }, expiresAt }: Session, options: OperatorsOptions): Promise<Seen | null> {
  if (storeId === null) return options;
  const store = await options.selfService?.registry.find(storeId);
  if (store == null || !isServed(store)) return null;
  // Cookies count in seconds. A shop that was connected again may have another owner, or one who shuts a stranger out.
  const openedAt = expiresAt - serverLimits.operatorSessionLifetimeMs;
  if (openedAt + SECOND <= store.linkedAt) return null;
  return {
    ...options,
    ledger: ledgerOfStore(options.ledger, storeId),
    countLedger: { live: async () => null, test: async () => null },
    storeIds: async () => [storeId],
    endpointIds: async () => [],
    findWarnings: async () => [],
    selfService: null,
  };
}

function addLoginRoutes(router: Router, options: OperatorsOptions): void {
  const { engine, ledger, sessions, loginLinks } = options;
  const login = createLogin({ sessions, loginLinks, clock: engine.clock, log: engine.log, acts: ledger });

  router.get("/login", async (request, response) => {
    const opened = login.open(await sessions.read(request.headers.cookie));
    const context = contextOf(request, options, opened.session, namedMode(response));
    const answer = login.show(opened.session, stringFields(request.query).next ?? "", context);
    await sendOperatorResponse(request, response, answer, context, opened.cookie);
  });
  router.post("/login", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const context = contextOf(request, options, session, namedMode(response));
    const answer = await login.logIn(session, stringFields(request.body), request.ip ?? "", context);
    await sendOperatorResponse(request, response, answer, context);
  });
  router.get("/login/once/:code", async (request, response) => {
    const context = contextOf(request, options, null, namedMode(response));
    // Mail programs and browsers look at links before anybody follows them, which must not use the link up.
    const isFollowed = request.method === "GET" && request.headers["sec-purpose"] === undefined;
    const answer = isFollowed ? await login.follow(request.params.code, context) : login.refuse(context);
    await sendOperatorResponse(request, response, answer, context);
  });
  router.post("/logout", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const context = contextOf(request, options, session, namedMode(response));
    const answer = await logout(sessions, session, stringFields(request.body).form ?? "", context);
    const hasEnded = answer.kind === "redirect" && answer.cookie !== undefined && session?.isOperator;
    if (hasEnded) await ledger.recordAct(sessionAct("log_out", session, engine.clock));
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

// A browser sends no SameSite cookie when a link of another site, such as a webmail, leads here. A page of ours then loads the same URL
// again, with the cookie.
function toLogin(request: Request, context: PageContext): OperatorResponse {
  const isPage = request.method === "GET" || request.method === "HEAD";
  const url = `${context.base}${isPage ? request.url : ""}`;
  if (isPage && request.headers["sec-fetch-site"] === "cross-site") return pageResponse(redirectPage(url, context));
  return redirectTo({ context }, `/login?next=${encodeURIComponent(isPage ? request.url : "/")}`);
}
