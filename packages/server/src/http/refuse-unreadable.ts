import { codeOf, type Log } from "@tillkit/core";
import type { ErrorRequestHandler } from "express";

/**
 * The last error handler of a program's Express app, for requests that no route can read (a broken address, a body that is
 * too large or cut off) and for internal errors. Express's own error page and log line would show where the program is
 * installed. The address is never logged, because it can contain a secret token.
 */
export function refuseUnreadable(log: Log): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return function sendRefusal(error, _request, response, _next) {
    const status = statusOf(error);
    if (status === 500) log.error("request.failed", { code: codeOf(error) });
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
    response.end(status === 500 ? FAULT : REFUSAL);
  };
}

const REFUSAL = "This request cannot be read: check the link, and that the request is complete.\n";
const FAULT = "This request failed because of an internal error: try again in a minute.\n";

function statusOf(error: unknown): number {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}
