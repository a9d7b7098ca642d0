import { codeOf, type Engine, type Language } from "@tillkit/core";
import { type ErrorRequestHandler, type Request, Router } from "express";
import { addOnlyShop, BAD_LINKS, badLinkPage, type ListStores } from "./bad-link.ts";
import { handleCancel } from "./handle-cancel.ts";
import { handleOrderPay, handlePay } from "./handle-pay.ts";
import { handleReturn } from "./handle-return.ts";
import { handleStatus } from "./handle-status.ts";
import { type LinkPurpose, readOrderToken } from "./link-tokens.ts";
import { readShownStatus, readWaitingSince, sendResponse } from "./send-response.ts";
import type { ShopperRequest } from "./shopper-request.ts";
import { pageResponse, type ShopperResponse } from "./shopper-response.ts";

type SharedParts = Pick<ShopperRequest, "engine" | "tokens" | "news">;

const HANDLERS: Readonly<Record<LinkPurpose, (request: ShopperRequest) => Promise<ShopperResponse>>> = {
  pay: handlePay,
  return: handleReturn,
  cancel: handleCancel,
  status: handleStatus,
};

type ShopperRouterParts = SharedParts & { /** The ids of all shops. */ readonly listStores: ListStores };

/** The shopper's routes. They accept signed links only: no cookie, no body, no order number. */
export function createShopperRouter({ listStores, ...shared }: ShopperRouterParts): Router {
  const { engine } = shared;
  const router = Router({ strict: true, caseSensitive: true });
  for (const purpose of Object.keys(HANDLERS) as LinkPurpose[]) {
    router.all(`/${purpose}/:token`, async (request, response) => {
      const answer = await respond(request, purpose, shared);
      const shown = purpose === "status" ? asJson(answer) : await addOnlyShop(engine, answer, listStores);
      sendResponse(request, response, shown);
    });
  }
  router.use(createErrorHandler(engine, listStores));
  return router;
}

async function respond(request: Request, purpose: LinkPurpose, shared: SharedParts): Promise<ShopperResponse> {
  const { engine, tokens } = shared;
  if (request.method !== "GET" && request.method !== "HEAD") return pageResponse("wrongMethod", 405);
  const token = String(request.params.token);
  const order = purpose === "pay" ? readOrderToken(tokens, token) : null;
  const link = order ? null : tokens.read(purpose, token);
  if (link && link.status !== "valid") return await badLinkPage(engine, token, link.status);
  // Link previews and scanners send HEAD. They learn that the link is valid; nothing else happens, because no shopper came back.
  if (request.method === "HEAD") return { kind: "json", status: 200, data: {} };
  // A browser that prefetches the next page must ask again when the shopper really opens it.
  if (/prefetch|prerender/i.test(String(request.headers["sec-purpose"] ?? request.headers.purpose)))
    return PREFETCH_REFUSAL;
  try {
    const parts = {
      ...shared,
      language: languageInLink(request),
      waitingSince: readWaitingSince(request),
      shownStatus: readShownStatus(request),
    };
    const answer = order
      ? await handleOrderPay(parts, order)
      : await HANDLERS[purpose]({ ...parts, paymentId: link?.value ?? "" });
    return await addBranding(engine, answer);
  } catch (error) {
    const code = codeOf(error);
    if (code === "payment_not_found") return pageResponse("linkBroken", 404);
    engine.log.error("page.failed", { purpose, paymentId: link?.value ?? null, code });
    return pageResponse("tryLater", 503, { actionUrl: "" });
  }
}

async function addBranding(engine: Engine, answer: ShopperResponse): Promise<ShopperResponse> {
  if (answer.kind !== "page" || answer.page.payment === null) return answer;
  const { name: shopName = null, branding = {} } = await engine.store(answer.page.payment.ref.storeId);
  return { ...answer, page: { ...answer.page, shopName, branding } };
}

const PREFETCH_REFUSAL: ShopperResponse = { kind: "json", status: 503, data: {} };

// The waiting page's script does not read HTML.
function asJson(answer: ShopperResponse): ShopperResponse {
  return answer.kind === "page" ? { kind: "json", status: answer.status, data: { status: "unknown" } } : answer;
}

function languageInLink({ query }: Request): Language | null {
  return query.lang === "fr" || query.lang === "en" ? query.lang : null;
}

// An address that cannot be decoded (`%E0%A4%A`) never reaches a route. The shopper sees it as a broken link.
function createErrorHandler(engine: Engine, listStores: ListStores): ErrorRequestHandler {
  return async function handleShopperError(error, request, response, next) {
    if (response.headersSent) return next(error);
    const isBrokenLink = error instanceof URIError;
    if (!isBrokenLink) engine.log.error("page.failed", { code: codeOf(error) });
    const page = isBrokenLink ? BAD_LINKS.malformed : pageResponse("tryLater", 503, { actionUrl: "" });
    sendResponse(request, response, await addOnlyShop(engine, page, listStores));
  };
}
