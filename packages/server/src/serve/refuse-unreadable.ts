import { codeOf, type Log } from "@tillkit/core";
import type { ErrorRequestHandler } from "express";

/**
 * The last handler of a program's Express app, for requests that no route could read (a broken address, a body that is too
 * large or cut off) and for faults of ours. Express's own page and its line on stderr would show where the program is installed.
 * Never the address: it can be a key.
 */
export function refuseUnreadable(log: Log): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters.
  return function unreadableRefused(error, _request, response, _next) {
    const status = statusOf(error);
    if (status === 500) log.error("request.failed", { code: codeOf(error) });
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
    response.end(status === 500 ? FAULT : REFUSAL);
  };
}

const REFUSAL = "This request was not understood: check the link, and that the request is whole.\n";
const FAULT = "This request could not be answered because of a fault here: try again in a minute.\n";

function statusOf(error: unknown): number {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}
