import { apiVersion } from "../http/api-version.ts";
import { errorResponse, type HttpResponse, jsonResponse } from "../http/http-response.ts";
import { allowHeader, methodNotAllowed, optionsResponse } from "../http/methods.ts";
import type { Service } from "../runtime/service.ts";

/** The path of the published contract. It needs no API key. */
export const contractPath = "/openapi.json";

/** Creates the document on the first request, so the start of the sandbox does not wait for it. */
export function createContractHandler({ addresses, ids }: Service): (method: string) => Promise<HttpResponse> {
  let response: Promise<HttpResponse> | null = null;
  async function createResponse(): Promise<HttpResponse> {
    const { openApiDocument } = await import("./document.ts");
    return jsonResponse(200, openApiDocument(addresses.baseUrl));
  }
  return async function answerContract(method) {
    const requestId = ids.uuid();
    const headers = { "X-Request-Id": requestId, "Service-Version": apiVersion };
    if (method === "OPTIONS") return optionsResponse(["GET"], headers);
    if (method !== "GET" && method !== "HEAD") {
      const allowed = { ...headers, Allow: allowHeader(["GET"]) };
      return errorResponse(methodNotAllowed(method, ["GET"]), requestId, allowed);
    }
    response ??= createResponse();
    const document = await response;
    return { ...document, headers: { ...document.headers, ...headers } };
  };
}
