import { codeOf, type Engine, type Language } from "@tillkit/core";
import { type ErrorRequestHandler, type Request, Router } from "express";
import { type LinkPurpose, type LinkTokens, readOrderToken } from "./link-tokens.ts";
import { type Reply, showPage } from "./reply.ts";
import { sendReply, waitingSince } from "./send-reply.ts";
import type { Visit } from "./visit.ts";
import { visitCancel } from "./visit-cancel.ts";
import { visitOrder, visitPay } from "./visit-pay.ts";
import { visitReturn } from "./visit-return.ts";
import { visitStatus } from "./visit-status.ts";

const VISITS: Readonly<Record<LinkPurpose, (visit: Visit) => Promise<Reply>>> = {
  pay: visitPay,
  return: visitReturn,
  cancel: visitCancel,
  status: visitStatus,
};

/** The buyer routes. They take signed links and nothing else: no cookie, no body, no order number. */
export function createBuyerRouter(engine: Engine, tokens: LinkTokens): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const site: Site = { engine, tokens };
  for (const purpose of Object.keys(VISITS) as LinkPurpose[]) {
    router.all(`/${purpose}/:token`, async (request, response) => {
      const answer = await reply(request, purpose, site);
      sendReply(request, response, purpose === "status" ? asData(answer) : answer);
    });
  }
  router.use(answerFault(engine));
  return router;
}

type Site = Pick<Visit, "engine" | "tokens">;

async function reply(request: Request, purpose: LinkPurpose, site: Site): Promise<Reply> {
  const { engine, tokens } = site;
  if (request.method !== "GET" && request.method !== "HEAD") return showPage("wrongMethod", 405);
  const token = String(request.params.token);
  const order = purpose === "pay" ? readOrderToken(tokens, token) : null;
  const link = order ? null : tokens.read(purpose, token);
  if (link && link.status !== "valid") return BAD_LINKS[link.status];
  // Link previews and scanners ask with HEAD: the link is good, and nobody came back.
  if (request.method === "HEAD") return { say: "data", status: 200, data: {} };
  // A browser that guesses the next page is told to ask again when the shopper really goes there.
  if (/prefetch|prerender/i.test(String(request.headers["sec-purpose"] ?? request.headers.purpose))) return LATER;
  try {
    const visit = { ...site, named: named(request), since: waitingSince(request) };
    const answer = order
      ? await visitOrder(visit, order)
      : await VISITS[purpose]({ ...visit, paymentId: link?.value ?? "" });
    return await withShopName(engine, answer);
  } catch (error) {
    const code = codeOf(error);
    if (code === "payment_not_found") return showPage("linkBroken", 404);
    engine.log.error("page.failed", { purpose, paymentId: link?.value ?? null, code });
    return showPage("tryLater", 503, { actionUrl: "" });
  }
}

async function withShopName(engine: Engine, answer: Reply): Promise<Reply> {
  if (answer.say !== "page" || answer.page.payment === null) return answer;
  const { name: shopName = null } = await engine.store(answer.page.payment.ref.storeId);
  return { ...answer, page: { ...answer.page, shopName } };
}

const BAD_LINKS: Readonly<Record<"malformed" | "forged" | "expired", Reply>> = {
  malformed: showPage("linkBroken", 404),
  forged: showPage("linkForged", 403),
  expired: showPage("linkExpired", 410),
};

const LATER: Reply = { say: "data", status: 503, data: {} };

// The waiting page's script reads no HTML.
function asData(answer: Reply): Reply {
  return answer.say === "page" ? { say: "data", status: answer.status, data: { say: "unknown" } } : answer;
}

function named({ query }: Request): Language | null {
  return query.lang === "fr" || query.lang === "en" ? query.lang : null;
}

// An address that is no valid text (`%E0%A4%A`) never reaches a route: to the shopper it is a broken link like any other.
function answerFault(engine: Engine): ErrorRequestHandler {
  return function answerBuyerFault(error, request, response, next) {
    if (response.headersSent) return next(error);
    const broken = error instanceof URIError;
    if (!broken) engine.log.error("page.failed", { code: codeOf(error) });
    sendReply(request, response, broken ? BAD_LINKS.malformed : showPage("tryLater", 503, { actionUrl: "" }));
  };
}
