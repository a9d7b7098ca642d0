import type { ServerResponse } from "node:http";
import type { Clock } from "@tillkit/core";
import { hangUpAfterResponse, hangUpLater, hostBytes, type RawBody, readBody } from "@tillkit/runtime";
import type { RequestHandler } from "express";
import { serverLimits } from "../limits.ts";

/**
 * Reads the bytes of a body into `request.body`, as `express.raw` does for one request. All bodies of the process together have one
 * bound, which Express does not know: a thousand senders of small bodies would take up its memory.
 *
 * Bytes that the host has read before are taken from it. A body of which it kept only the parsed value is left as it is.
 */
export function rawBodies(maxBytes: number, clock: Clock): RequestHandler {
  return bodies(maxBytes, clock, (bytes) => bytes);
}

/** Reads the fields of a form into `request.body`, within the same bound. A body that is no form is left unread. */
export function formBodies(maxBytes: number, clock: Clock): RequestHandler {
  const readForm = bodies(maxBytes, clock, (bytes) => {
    const fields = [...new URLSearchParams(Buffer.from(bytes).toString("utf8"))];
    if (fields.length > serverLimits.maxFormFields)
      throw unreadable(413, "parameters.too.many", "The form has too many fields.");
    return Object.fromEntries(fields);
  });
  return function handleForm(request, response, next) {
    return request.is("application/x-www-form-urlencoded") ? readForm(request, response, next) : next();
  };
}

function bodies(maxBytes: number, clock: Clock, parse: (bytes: Uint8Array) => unknown): RequestHandler {
  return async function handleBody(request, response, next) {
    const hostRead = hostBytes(request);
    if (hostRead === null && request.readableDidRead) return next();
    // A signature covers the bytes as they were sent, and a small packed body may be a very large one.
    const { "content-encoding": encoding = "identity" } = request.headers;
    if (encoding !== "identity") throw unreadable(415, "encoding.unsupported", "The body must not be compressed.");
    if (hostRead !== null && hostRead.byteLength > maxBytes) throw tooLarge();
    const body: RawBody = hostRead
      ? { status: "complete", bytes: hostRead }
      : await readBody(request, response, { maxBytes, clock });
    switch (body.status) {
      case "aborted":
        return;
      case "complete":
        request.body = parse(body.bytes);
        return next();
      case "too-large":
        hangUpLater(request, clock);
        throw tooLarge();
      default:
        hangUpAfterResponse(request, response);
        refuse(response, body);
    }
  };
}

function tooLarge(): Error {
  return unreadable(413, "entity.too.large", "The body is too large.");
}

/** An error in the form of Express's own parsers, for the error handlers of the routes. */
function unreadable(status: number, type: string, message: string): Error {
  return Object.assign(new Error(message), { status, type });
}

function refuse(response: ServerResponse, { status }: RawBody): void {
  response.writeHead(503, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Retry-After": serverLimits.bodyRetryAfterSeconds,
  });
  const reason = status === "no-room" ? "Too many requests are sent at the moment" : "The request arrived too slowly";
  response.end(`${reason}: try again in a moment.\n`);
}
