import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { handleApiRequest } from "./api/handle-api-request.ts";
import { createInFlightKeys } from "./api/idempotency.ts";
import { wavePath } from "./charges/mobile-charges.ts";
import { consolePath } from "./console/components/page-url.ts";
import { handleConsoleRequest } from "./console/handle-console-request.ts";
import type { SandboxControl } from "./control/control.ts";
import { handleControlRequest } from "./control/handle-control-request.ts";
import { ApiError } from "./domain/api-error.ts";
import { limits } from "./domain/limits.ts";
import { handleHostedPageRequest } from "./hosted-page/handle-hosted-page-request.ts";
import { handleWavePageRequest } from "./hosted-page/wave-page.ts";
import { errorResponse } from "./http/http-response.ts";
import { readBody } from "./http/read-body.ts";
import { sendPage, sendResponse } from "./http/send-response.ts";
import { enrollmentPath, handleEnrollmentRequest } from "./network/enrollment/handle-enrollment-request.ts";
import { contractPath, createContractHandler } from "./openapi/contract.ts";
import type { Service } from "./runtime/service.ts";

export const checkoutPath = "/pay";
export const controlPath = "/sandbox";

/** What people see. */
const pages = [
  [checkoutPath, handleHostedPageRequest],
  [wavePath, handleWavePageRequest],
  [enrollmentPath, handleEnrollmentRequest],
] as const;

type RequestUrl = { path: string; query: URLSearchParams };

/** Everything behind the one port: hosted page, console, control API, and the service's API at every other path. */
export function createListener(service: Service, control: SandboxControl): RequestListener {
  const running = createInFlightKeys();
  const contract = createContractHandler(service);

  async function toApi(request: IncomingMessage, response: ServerResponse, { path, query }: RequestUrl): Promise<void> {
    const body = await readBody(request, limits.bodyBytes);
    const { method = "GET", headers } = request;
    const answer = await handleApiRequest(service, running, { method, path, query, headers, body });
    if (service.settings.latencyMs > 0) await new Promise((done) => setTimeout(done, service.settings.latencyMs));
    sendResponse(response, answer);
  }

  async function toPage(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: RequestUrl,
    [base, page]: readonly [string, typeof handleHostedPageRequest],
  ): Promise<void> {
    const form = await readForm(request);
    const { method = "GET", headers } = request;
    sendPage(request, response, await page(service, { method, path: path.slice(base.length), query, headers, form }));
  }

  async function toConsole(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: RequestUrl,
  ): Promise<void> {
    const { method = "GET", headers } = request;
    const form = await readForm(request);
    const asked = { method, path: path.slice(consolePath.length), query, headers, form };
    sendPage(request, response, await handleConsoleRequest(service, control, asked));
  }

  async function toControl(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: RequestUrl,
  ): Promise<void> {
    const body = await readBody(request, limits.bodyBytes);
    // A web page that the developer happens to visit must not steer his sandbox.
    if (request.headers["sec-fetch-site"] === "cross-site" || body === "too-large") {
      const refusal = new ApiError(
        "forbidden",
        "The control API takes requests of at most 1 MiB, from this machine only.",
      );
      return sendResponse(response, { answer: errorResponse(refusal, service.ids.uuid()), cut: false });
    }
    const { method = "GET" } = request;
    const answer = await handleControlRequest(service, control, {
      method,
      path: path.slice(controlPath.length),
      query,
      body,
    });
    sendResponse(response, { answer, cut: false });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const addressed = parseUrl(request);
    const { path } = addressed;
    const page = pages.find(([base]) => path.startsWith(`${base}/`));
    if (page !== undefined) return toPage(request, response, addressed, page);
    if (path === consolePath || path.startsWith(`${consolePath}/`)) return toConsole(request, response, addressed);
    if (path === contractPath && request.method === "GET") return sendPage(request, response, await contract());
    if (path.startsWith(`${controlPath}/`)) return toControl(request, response, addressed);
    return toApi(request, response, addressed);
  }

  return function listen(request, response) {
    answer(request, response).catch((error: Error) => {
      // The other side went away, or our own storage failed: there is nobody to tell but the log.
      if (!request.destroyed) process.emitWarning(error);
      response.destroy();
    });
  };
}

/** A form that is too large counts as an empty one. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const body = await readBody(request, limits.formBytes);
  return new URLSearchParams(body === "too-large" ? "" : Buffer.from(body).toString("utf8"));
}

function parseUrl({ url = "/" }: IncomingMessage): RequestUrl {
  const mark = url.indexOf("?");
  if (mark === -1) return { path: url, query: new URLSearchParams() };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
