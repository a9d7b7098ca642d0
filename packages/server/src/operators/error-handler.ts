import { codeOf } from "@tillkit/core";
import type { ErrorRequestHandler, Response } from "express";
import { html } from "../pages/html.ts";
import { pageResponse } from "./handlers/operator-request.ts";
import { namedMode } from "./mode.ts";
import { contextOf, type PagesHost } from "./request-context.ts";
import { sendOperatorResponse } from "./send-operator-response.ts";
import { frameTexts } from "./texts/frame-texts.ts";

type Fault = "unreadable" | "too_large" | "unavailable";

const STATUS: Readonly<Record<Fault, number>> = { unreadable: 400, too_large: 413, unavailable: 503 };

/** Responds to a request that failed with a page of the same style and language: 400 or 413 when the request is at fault, else 503. */
export function createErrorHandler(host: PagesHost): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return async function handleOperatorError(error, request, response: Response, _next) {
    // In the middle of a download, only a broken connection can show that the file is not complete.
    if (response.headersSent) return void response.destroy();
    const fault = faultOf(error);
    if (fault === "unavailable") host.engine.log.error("operators.page_failed", { code: codeOf(error) });
    // The ledger may be what failed, so the page asks it nothing, not even who is logged in.
    const context = contextOf(request, host, null, namedMode(response));
    const texts = frameTexts[context.language];
    const again = request.method === "GET" && fault === "unavailable";
    const body = html`<div class="login"><h1>${texts.errors[fault]}</h1>
<p>${texts.errorAdvice[fault]}</p>
<div class="actions">${again && html`<a class="button" href="${context.base}${request.url}">${texts.again}</a>`}<a class="button second" href="${context.base}">${texts.toOverview}</a></div></div>`;
    const page = { title: texts.errors[fault], body, menuItem: "login" } as const;
    await sendOperatorResponse(request, response, pageResponse(page, STATUS[fault]), context);
  };
}

// The ledger throws RangeError when `after=` is not a cursor of the list.
function faultOf(error: unknown): Fault {
  if (error instanceof URIError || error instanceof RangeError) return "unreadable";
  if (!(error instanceof Error) || !("status" in error) || error.status === 500) return "unavailable";
  return error.status === 413 ? "too_large" : "unreadable";
}
