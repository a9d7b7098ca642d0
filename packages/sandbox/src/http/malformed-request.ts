import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "../domain/api-error.ts";
import type { IdGenerator } from "../domain/id-generator.ts";
import { apiVersion } from "./api-version.ts";
import { errorResponse, type HttpResponse } from "./http-response.ts";
import { sendResponse } from "./send-response.ts";

/** The response to an HTTP/1.1 request without exactly one `Host`, which HTTP requires. Null for every other request. */
export function missingHostResponse(request: IncomingMessage, ids: IdGenerator): HttpResponse | null {
  // `rawHeaders` holds names and values in turn: every second entry is a name.
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length === 1 || (hosts.length === 0 && request.httpVersion === "1.0")) return null;
  const problem = hosts.length === 0 ? "The request has no header Host" : "The request has more than one header Host";
  return protocolError(new ApiError("bad_request", problem), ids);
}

/** Answers an `Expect` other than `100-continue` with 417 and the error object of the API. */
export function rejectExpectation(ids: IdGenerator) {
  return function reject(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const error = new ApiError("bad_request", "The only Expect is 100-continue", { status: 417 });
    sendResponse(response, { response: protocolError(error, ids), isCut: false });
  };
}

function protocolError(error: ApiError, ids: IdGenerator): HttpResponse {
  const requestId = ids.uuid();
  return errorResponse(error, requestId, { "X-Request-Id": requestId, "Service-Version": apiVersion });
}
