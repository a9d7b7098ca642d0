import type { Duplex } from "node:stream";
import { ApiError } from "../domain/api-error.ts";
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
    const requestId = ids.uuid();
    const why =
      code === "HPE_HEADER_OVERFLOW" ? "URL and headers are larger than 16 KiB" : "The request is not valid HTTP";
    const { headers, body } = errorResponse(new ApiError("bad_request", why), requestId, {
      "X-Request-Id": requestId,
      "Service-Version": apiVersion,
    });
    const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body ?? ""), Connection: "close" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n${body}`);
  };
}
