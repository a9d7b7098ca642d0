import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { handleApiRequest } from "./api/handle-api-request.ts";
import { createInFlightKeys } from "./api/idempotency.ts";
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
import { errorResponse } from "./http/http-response.ts";
import { readBody } from "./http/read-body.ts";
import { sendPage, sendResponse } from "./http/send-response.ts";
import { contractPath, createContractHandler } from "./openapi/contract.ts";
import type { PageRequest } from "./pages/page-request.ts";
import type { Service } from "./runtime/service.ts";

export const checkoutPath = "/pay";
export const controlPath = "/sandbox";

/** The pages that shoppers and members open, by base path. */
const pages = [
  [checkoutPath, handleHostedPageRequest],
  [wavePath, handleWavePageRequest],
  [enrollmentPath, handleEnrollmentRequest],
] as const;

type RequestUrl = { path: string; query: URLSearchParams };

/** Routes the requests of the one port: hosted page, console, control API, and the service's API at every other path. */
export function createListener(service: Service, control: SandboxControl): RequestListener {
  const keys = createInFlightKeys();
  const contract = createContractHandler(service);

  async function toApi(request: IncomingMessage, response: ServerResponse, { path, query }: RequestUrl): Promise<void> {
    const body = await readBody(request, limits.bodyBytes);
    const { method = "GET", headers } = request;
    const apiResponse = await handleApiRequest(service, keys, { method, path, query, headers, body });
    if (service.settings.latencyMs > 0) await sleep(service.settings.latencyMs);
    sendResponse(response, apiResponse);
  }

  async function toControl(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: RequestUrl,
  ): Promise<void> {
    const body = await readBody(request, limits.bodyBytes);
    // A web page that the developer visits must not be able to control the sandbox.
    if (request.headers["sec-fetch-site"] === "cross-site" || body === "too-large") {
      const error = new ApiError(
        "forbidden",
        "The control API takes requests of at most 1 MiB, from this machine only.",
      );
      return sendResponse(response, { response: errorResponse(error, service.ids.uuid()), isCut: false });
    }
    const { method = "GET" } = request;
    const controlRequest = { method, path: path.slice(controlPath.length), query, body };
    const controlResponse = await handleControlRequest(service, control, controlRequest);
    sendResponse(response, { response: controlResponse, isCut: false });
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = parseUrl(request);
    const { path } = url;
    const page = pages.find(([base]) => path.startsWith(`${base}/`));
    if (page !== undefined) {
      const [base, handlePage] = page;
      return sendPage(request, response, await handlePage(service, await readPageRequest(request, url, base)));
    }
    if (path === consolePath || path.startsWith(`${consolePath}/`)) {
      const consoleRequest = await readPageRequest(request, url, consolePath);
      return sendPage(request, response, await handleConsoleRequest(service, control, consoleRequest));
    }
    if (path === contractPath && request.method === "GET") return sendPage(request, response, await contract());
    if (path.startsWith(`${controlPath}/`)) return toControl(request, response, url);
    return toApi(request, response, url);
  }

  return function listen(request, response) {
    route(request, response).catch((error: Error) => {
      // The client disconnected, or the storage failed. No response can be sent, so the error is only logged.
      if (!request.destroyed) process.emitWarning(error);
      response.destroy();
    });
  };
}

/** The request of a page below `base`. A form that is too large counts as an empty form. */
async function readPageRequest(
  request: IncomingMessage,
  { path, query }: RequestUrl,
  base: string,
): Promise<PageRequest> {
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
