import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { handleApiRequest } from "./api/handle-api-request.ts";
import { createInFlightKeys, type InFlightKeys } from "./api/idempotency.ts";
import { wavePath } from "./charges/mobile-charges.ts";
import { consolePath } from "./console/components/page-url.ts";
import { handleConsoleRequest } from "./console/handle-console-request.ts";
import type { SandboxControl } from "./control/control.ts";
import { handleControlRequest } from "./control/handle-control-request.ts";
import { ApiError } from "./domain/api-error.ts";
import { limits } from "./domain/limits.ts";
import { enrollmentPath, handleEnrollmentRequest } from "./enrollment/handle-enrollment-request.ts";
import { handleHostedPageRequest } from "./hosted-page/handle-hosted-page-request.ts";
import { handleWavePageRequest } from "./hosted-page/wave-page.ts";
import { errorResponse, type HttpResponse } from "./http/http-response.ts";
import { missingHostResponse } from "./http/malformed-request.ts";
import { allowHeader, methodNotAllowed, optionsResponse } from "./http/methods.ts";
import { isOwnHost } from "./http/own-host.ts";
import { readBody } from "./http/read-body.ts";
import { requestOrigin } from "./http/request-origin.ts";
import { sendPage, sendResponse } from "./http/send-response.ts";
import { contractPath, createContractHandler } from "./openapi/contract.ts";
import type { PageRequest } from "./pages/page-request.ts";
import type { Service } from "./runtime/service.ts";

export const checkoutPath = "/pay";
export const controlPath = "/sandbox";

/** The pages of shoppers and members, by base path. */
const pages = [
  [checkoutPath, handleHostedPageRequest],
  [wavePath, handleWavePageRequest],
  [enrollmentPath, handleEnrollmentRequest],
] as const;
const pageMethods = ["GET", "POST"];

type RequestUrl = { path: string; query: URLSearchParams };
type HandlePage = (request: PageRequest) => Promise<HttpResponse>;
type ListenerContext = {
  service: Service;
  control: SandboxControl;
  inFlightKeys: InFlightKeys;
  handleContract: (method: string) => Promise<HttpResponse>;
};

/** Routes every request of the sandbox: to hosted page, console or control API, and to the service's API at every other path. */
export function createListener(service: Service, control: SandboxControl): RequestListener {
  const handleContract = createContractHandler(service);
  const context: ListenerContext = { service, control, inFlightKeys: createInFlightKeys(), handleContract };
  return function handleRequest(request, response) {
    route(context, request, response).catch((error: Error) => {
      // The client disconnected, or the storage failed. No response can be sent, so the error is only logged.
      if (!request.destroyed) process.emitWarning(error);
      response.destroy();
    });
  };
}

async function route(context: ListenerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { service } = context;
  const url = parseUrl(request);
  const { path } = url;
  const malformed = missingHostResponse(request, service.ids);
  if (malformed !== null) return sendResponse(response, { response: malformed, isCut: false });
  const page = pages.find(([base]) => path.startsWith(`${base}/`));
  if (page !== undefined) {
    const [base, handlePage] = page;
    const handle: HandlePage = (pageRequest) => handlePage(service, pageRequest);
    return sendPage(request, response, await pageResponse(context, request, base, handle));
  }
  if (path === contractPath) return sendPage(request, response, await context.handleContract(request.method ?? "GET"));
  if (!path.startsWith(`${controlPath}/`)) return respondAsApi(context, request, response);
  const answer = await consoleOrControlResponse(context, request);
  if (isConsolePath(path)) sendPage(request, response, answer);
  else sendResponse(response, { response: answer, isCut: false });
}

function isConsolePath(path: string): boolean {
  return path === consolePath || path.startsWith(`${consolePath}/`);
}

async function respondAsApi(
  { service, inFlightKeys }: ListenerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, query } = parseUrl(request);
  const body = await readBody(request, limits.bodyBytes);
  const { method = "GET", headers } = request;
  const apiResponse = await handleApiRequest(service, inFlightKeys, { method, path, query, headers, body });
  if (service.settings.latencyMs > 0) await sleep(service.settings.latencyMs);
  sendResponse(response, apiResponse);
}

/** The response of console and control API. A web page that the developer visits must not be able to control the sandbox. */
async function consoleOrControlResponse(context: ListenerContext, request: IncomingMessage): Promise<HttpResponse> {
  const { service, control } = context;
  const { path, query } = parseUrl(request);
  if (!isOwnHost(request.headers.host, service.addresses.baseUrl)) {
    return refusal(
      service,
      new ApiError(
        "forbidden",
        "The console and the control API answer only under this machine's names, such as localhost.",
      ),
    );
  }
  if (isConsolePath(path)) {
    const handle: HandlePage = (pageRequest) => handleConsoleRequest(service, control, pageRequest);
    return pageResponse(context, request, consolePath, handle);
  }
  // A form of another origin needs no permission to send a body, so the request is refused before its body is read.
  if (requestOrigin(request.headers, service.addresses.baseUrl) === "other") {
    const problem =
      "The control API takes requests of programs and of its own pages, and from no page of another origin.";
    return refusal(service, new ApiError("forbidden", problem));
  }
  const body = await readBody(request, limits.bodyBytes);
  if (body === "too-large")
    return refusal(service, new ApiError("forbidden", "The control API takes requests of at most 1 MiB."));
  const { method = "GET" } = request;
  return handleControlRequest(service, control, { method, path: path.slice(controlPath.length), query, body });
}

async function pageResponse(
  { service }: ListenerContext,
  request: IncomingMessage,
  base: string,
  handle: HandlePage,
): Promise<HttpResponse> {
  const { method = "GET" } = request;
  if (method === "OPTIONS") return optionsResponse(pageMethods);
  if (method === "HEAD" || pageMethods.includes(method)) return handle(await readPageRequest(request, base));
  return refusal(service, methodNotAllowed(method, pageMethods), { Allow: allowHeader(pageMethods) });
}

function refusal({ ids }: Service, error: ApiError, headers: Record<string, string> = {}): HttpResponse {
  const requestId = ids.uuid();
  return errorResponse(error, requestId, { ...headers, "X-Request-Id": requestId });
}

/** The request of a page below `base`. A form that is too large counts as an empty form. */
async function readPageRequest(request: IncomingMessage, base: string): Promise<PageRequest> {
  const { path, query } = parseUrl(request);
  const { method = "GET", headers } = request;
  const body = await readBody(request, limits.formBytes);
  const form = new URLSearchParams(body === "too-large" ? "" : Buffer.from(body).toString("utf8"));
  return { method, path: path.slice(base.length), query, headers, form };
}

function parseUrl({ url = "/" }: IncomingMessage): RequestUrl {
  const queryStart = url.indexOf("?");
  if (queryStart === -1) return { path: url, query: new URLSearchParams() };
  return { path: url.slice(0, queryStart), query: new URLSearchParams(url.slice(queryStart + 1)) };
}
