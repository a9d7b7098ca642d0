import { codeOf, type Engine, type Language, type Ledger } from "@tillkit/core";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import { hostLimits } from "../limits.ts";
import type { CountLedger } from "../metrics/ledger-counts.ts";
import { html } from "../pages/html.ts";
import { pageLanguage } from "../pages/language.ts";
import { sameSecret } from "../same-secret.ts";
import { createLogin } from "./login.ts";
import { goTo, type OperatorReply, type OperatorVisit, showOperatorPage } from "./operator-visit.ts";
import { openingPage } from "./pages/login-page.ts";
import type { Look } from "./pages/look.ts";
import { sendOperatorReply } from "./send-operator-reply.ts";
import type { Session, Sessions } from "./sessions.ts";
import { accept, askAccept, askRefund, refund, replay } from "./visits/decide.ts";
import { visitDisputes } from "./visits/visit-disputes.ts";
import { visitExport, visitExportFile } from "./visits/visit-export.ts";
import { visitDead, visitDeliveries, visitFind, visitOverview, visitPayments } from "./visits/visit-lists.ts";
import { visitPayment } from "./visits/visit-payment.ts";
import { operatorWords } from "./words/words.ts";

export type OperatorsOptions = {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly count: CountLedger;
  storeIds(): Promise<readonly string[]>;
  readonly sessions: Sessions;
  /** Path of the overview, as a browser sees it. */
  readonly base: string;
};

type Visit = (visit: OperatorVisit) => Promise<OperatorReply>;

const PAGES: Readonly<Record<string, Visit>> = {
  "/": visitOverview,
  "/payments": visitPayments,
  "/payments/:id": visitPayment,
  "/payments/:id/accept": askAccept,
  "/payments/:id/refund": askRefund,
  "/disputes": visitDisputes,
  "/find": visitFind,
  "/deliveries": visitDeliveries,
  "/dead": visitDead,
  "/export": visitExport,
  "/export.csv": visitExportFile,
};

const FORMS: Readonly<Record<string, Visit>> = {
  "/payments/:id/accept": accept,
  "/payments/:id/refund": refund,
  "/jobs/:id/replay": replay,
};

/** The operators' pages. Nobody sees or does anything here without a session that was opened with a token. */
export function createOperatorsRouter(options: OperatorsOptions): Router {
  const { engine, sessions, base } = options;
  const router = Router();
  const login = createLogin({ sessions, clock: engine.clock, log: engine.log });

  const answer = (visit: Visit, isForm: boolean): RequestHandler =>
    async function answerOperator(request, response) {
      const session = await sessions.read(request.headers.cookie);
      const look = lookOf(request, base, session);
      if (!session?.isOperator) return sendOperatorReply(request, response, letIn(request, look), look);
      const fields = textsOf(request.body);
      const isOwnForm = !isForm || sameSecret(fields.form ?? "", session.formToken);
      const given = { ...options, look, id: String(request.params.id ?? ""), query: textsOf(request.query), fields };
      const reply = isOwnForm ? await visit(given) : goTo(given, "/?problem=form_expired");
      await sendOperatorReply(request, response, reply, look);
    };

  router.use(express.urlencoded({ extended: false, limit: hostLimits.formBytes, parameterLimit: 10 }));
  router.use(chooseLanguage(base));
  router.get("/login", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const { reply, shown } = login.show(session, textsOf(request.query).next ?? "", (open) =>
      lookOf(request, base, open),
    );
    await sendOperatorReply(request, response, reply, shown.look, shown.cookie);
  });
  router.post("/login", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const look = lookOf(request, base, session);
    const reply = login.enter(session, textsOf(request.body), request.ip ?? "", look);
    await sendOperatorReply(request, response, reply, look);
  });
  router.post("/logout", async (request, response) => {
    const session = await sessions.read(request.headers.cookie);
    const look = lookOf(request, base, session);
    // Without a session there is nothing to end, and a form of another site comes without the cookie.
    const isOwnForm = session !== null && sameSecret(textsOf(request.body).form ?? "", session.formToken);
    const reply: OperatorReply = isOwnForm
      ? { say: "go", to: `${base}/login`, cookie: await sessions.end(session) }
      : goTo({ look }, session?.isOperator ? "/?problem=form_expired" : "/login");
    await sendOperatorReply(request, response, reply, look);
  });
  for (const [path, visit] of Object.entries(PAGES)) router.get(path, answer(visit, false));
  for (const [path, visit] of Object.entries(FORMS)) router.post(path, answer(visit, true));
  router.use(answer(async ({ look }) => showOperatorPage(missingPage(look), 404), false));
  router.use(answerFault(engine));
  return router;
}

// A browser keeps the cookie from an address that another site led to, a mail for example; not from our own page.
function letIn(request: Request, look: Look): OperatorReply {
  const isPage = request.method === "GET" || request.method === "HEAD";
  const url = `${look.base}${isPage ? request.url : ""}`;
  if (isPage && request.headers["sec-fetch-site"] === "cross-site") return showOperatorPage(openingPage(url, look));
  return { say: "go", to: `${look.base}/login?next=${encodeURIComponent(isPage ? request.url : "/")}` };
}

function missingPage({ words }: Look) {
  return { title: words.pageGone, body: html`<h1>${words.pageGone}</h1>`, here: null };
}

function lookOf(request: Request, base: string, session: Session | null): Look {
  const chosen = /(?:^|; ?)tillkit_language=(fr|en)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const language: Language = pageLanguage(chosen, request.headers["accept-language"]);
  return { base, language, words: operatorWords(language), formToken: session?.formToken ?? "" };
}

// `?lang=` is kept in a cookie, so that no link has to carry it.
function chooseLanguage(base: string): RequestHandler {
  return function keepLanguage(request, response, next) {
    const { lang, ...rest } = textsOf(request.query);
    if (request.method !== "GET" || (lang !== "fr" && lang !== "en")) return next();
    const query = new URLSearchParams(rest);
    const to = `${base}${request.path === "/" ? "" : request.path}${query.size > 0 ? `?${query}` : ""}`;
    const cookie = `tillkit_language=${lang}; Path=${base}; Max-Age=31536000; HttpOnly; SameSite=Strict`;
    response.writeHead(303, { Location: to, "Set-Cookie": cookie, "Cache-Control": "no-store" }).end();
  };
}

function textsOf(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof values === "object" && values !== null ? values : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function answerFault(engine: Engine): ErrorRequestHandler {
  return function answerOperatorsFault(error, _request, response: Response, _next) {
    // In the middle of a file a connection that breaks is the only way left to say that it is not whole.
    if (response.headersSent) return void response.destroy();
    // RangeError: `after=` is not the end of a page of this list.
    const isTheirs =
      error instanceof URIError ||
      error instanceof RangeError ||
      (error instanceof Error && "status" in error && error.status !== 500);
    if (!isTheirs) engine.log.error("operators.page_failed", { code: codeOf(error) });
    response.writeHead(isTheirs ? 400 : 503, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
    });
    response.end(
      isTheirs ? "This request was not understood.\n" : "The ledger does not answer now: try again in a minute.\n",
    );
  };
}
