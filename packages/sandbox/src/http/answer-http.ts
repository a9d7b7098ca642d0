import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { errorAnswer } from "../api/answer.ts";
import { answerRequest } from "../api/answer-request.ts";
import { createRunningKeys } from "../api/idempotency.ts";
import { wavePath } from "../charges/mobile-charges.ts";
import { answerWavePage } from "../charges/wave-page.ts";
import { consolePath } from "../console/address.ts";
import { answerConsole } from "../console/answer-console.ts";
import { answerControl } from "../control/answer-control.ts";
import type { SandboxControl } from "../control/control.ts";
import { limits } from "../limits.ts";
import { answerEnrollment, enrollmentPath } from "../network/enrollment/answer-enrollment.ts";
import { contractPath, createContract } from "../openapi/contract.ts";
import { answerPage } from "../page/answer-page.ts";
import { Refusal } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import { readBody } from "./read-body.ts";
import { sendAnswer, sendPage } from "./send-answer.ts";

export const checkoutPath = "/pay";
export const controlPath = "/sandbox";

/** What people see. */
const pages = [
  [checkoutPath, answerPage],
  [wavePath, answerWavePage],
  [enrollmentPath, answerEnrollment],
] as const;

type Addressed = { path: string; query: URLSearchParams };

/** Everything behind the one port: hosted page, console, control API, and the service's API at every other path. */
export function createListener(service: Service, control: SandboxControl): RequestListener {
  const running = createRunningKeys();
  const contract = createContract(service);

  async function toApi(request: IncomingMessage, response: ServerResponse, { path, query }: Addressed): Promise<void> {
    const body = await readBody(request, limits.bodyBytes);
    const { method = "GET", headers } = request;
    const answer = await answerRequest(service, running, { method, path, query, headers, body });
    if (service.settings.latencyMs > 0) await new Promise((done) => setTimeout(done, service.settings.latencyMs));
    sendAnswer(response, answer);
  }

  async function toPage(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: Addressed,
    [base, page]: readonly [string, typeof answerPage],
  ): Promise<void> {
    const form = await readForm(request);
    const { method = "GET", headers } = request;
    sendPage(request, response, await page(service, { method, path: path.slice(base.length), query, headers, form }));
  }

  async function toConsole(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: Addressed,
  ): Promise<void> {
    const { method = "GET", headers } = request;
    const form = await readForm(request);
    const asked = { method, path: path.slice(consolePath.length), query, headers, form };
    sendPage(request, response, await answerConsole(service, control, asked));
  }

  async function toControl(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: Addressed,
  ): Promise<void> {
    const body = await readBody(request, limits.bodyBytes);
    // A web page that the developer happens to visit must not steer his sandbox.
    if (request.headers["sec-fetch-site"] === "cross-site" || body === "too-large") {
      const refusal = new Refusal(
        "forbidden",
        "The control API takes requests of at most 1 MiB, from this machine only.",
      );
      return sendAnswer(response, { answer: errorAnswer(refusal, service.ids.uuid()), cut: false });
    }
    const { method = "GET" } = request;
    const answer = await answerControl(service, control, { method, path: path.slice(controlPath.length), query, body });
    sendAnswer(response, { answer, cut: false });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const addressed = addressOf(request);
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

function addressOf({ url = "/" }: IncomingMessage): Addressed {
  const mark = url.indexOf("?");
  if (mark === -1) return { path: url, query: new URLSearchParams() };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
