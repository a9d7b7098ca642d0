import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, notFound } from "../domain/api-error.ts";
import type { IdGenerator } from "../domain/id-generator.ts";
import { apiVersion } from "./api-version.ts";
import { errorResponse } from "./http-response.ts";

/** Answers bytes that Node cannot parse as HTTP with the error object of the API. */
export function rejectUnreadable(ids: IdGenerator): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return function reject({ code }, socket) {
    if (code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const why =
      code === "HPE_HEADER_OVERFLOW" ? "URL and headers are larger than 16 KiB" : "The request is not valid HTTP";
    refuse(ids, socket, new ApiError("bad_request", why));
  };
}

/** Answers CONNECT, which asks a proxy for a tunnel, as any method that no route has. Node would close the connection without an answer. */
export function rejectConnect(ids: IdGenerator): (request: IncomingMessage, socket: Duplex) => void {
  return function reject(_request, socket) {
    socket.on("error", () => socket.destroy());
    refuse(ids, socket, notFound("Route"));
  };
}

function refuse(ids: IdGenerator, socket: Duplex, error: ApiError): void {
  const requestId = ids.uuid();
  const { status, headers, body } = errorResponse(error, requestId, {
    "X-Request-Id": requestId,
    "Service-Version": apiVersion,
  });
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body ?? ""), Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}
