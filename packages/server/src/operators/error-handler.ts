import { codeOf, type Engine } from "@tillkit/core";
import type { ErrorRequestHandler, Response } from "express";

/** Responds to a request that failed: 400 when the request is at fault, else 503. */
export function createErrorHandler({ log }: Pick<Engine, "log">): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return function handleOperatorError(error, _request, response: Response, _next) {
    // In the middle of a download, only a broken connection can show that the file is not complete.
    if (response.headersSent) return void response.destroy();
    const isBadRequest = hasBadInput(error);
    if (!isBadRequest) log.error("operators.page_failed", { code: codeOf(error) });
    response.writeHead(isBadRequest ? 400 : 503, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
    });
    response.end(
      isBadRequest
        ? "This request cannot be read: check the link.\n"
        : "The ledger does not answer at the moment: try again in a minute.\n",
    );
  };
}

// The ledger throws RangeError when `after=` is not a cursor of the list.
function hasBadInput(error: unknown): boolean {
  if (error instanceof URIError || error instanceof RangeError) return true;
  return error instanceof Error && "status" in error && error.status !== 500;
}
