import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@tillkit/core";
import type { Disturbance, Faults } from "./faults.ts";
import { jsonBody, type ShopRequest, type ShopResponse } from "./messages.ts";

export type ShopServer = { readonly origin: string; close(): Promise<void> };

/** An HTTP server on the loopback interface that simulates faults between the checkout server and the shop. */
export async function startShopServer(
  answer: (request: ShopRequest) => Promise<ShopResponse>,
  faults: Faults,
  clock: Clock,
  port: number,
): Promise<ShopServer> {
  const abortController = new AbortController();
  // Every delayed request listens to this signal.
  setMaxListeners(0, abortController.signal);
  const server = createServer((request, response) => {
    void serve(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        faults.requestsInFlight -= 1;
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    faults.requestsInFlight += 1;
    const request = await readRequest(message);
    const disturbance = faults.disturbance();
    if (disturbance !== null && disturbance !== "notice") {
      sendDisturbance(response, disturbance);
      // A request that gets no whole response is in flight until its connection ends.
      if (!response.writableEnded && !response.destroyed) await once(response, "close");
      return;
    }
    if (isWrite(request)) return await serveWrite(request, response);
    await clock.sleep(faults.latencyMs(), abortController.signal);
    send(response, await answer(request), { withNotice: disturbance === "notice" });
  }

  async function serveWrite(request: ShopRequest, response: ServerResponse): Promise<void> {
    const fault = faults.takeWriteFault();
    if (fault === "unavailable") return sendDisturbance(response, "maintenance");
    if (fault === "lost-before-effect") return sendDisturbance(response, "hang-up");
    if (typeof fault === "object" && fault !== null) {
      faults.heldWrites += 1;
      await clock.sleep(fault.lateMs, abortController.signal).finally(() => {
        faults.heldWrites -= 1;
      });
    } else {
      await clock.sleep(faults.latencyMs(), abortController.signal);
    }
    const result = await answer(request);
    if (fault === "lost-after-effect") return sendDisturbance(response, "hang-up");
    if (fault === "error-after-effect") return sendDisturbance(response, "error");
    send(response, result, { withNotice: faults.disturbance() === "notice" });
  }

  const { port: actualPort } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${actualPort}`,
    async close() {
      abortController.abort();
      await closeServer(server);
    },
  };
}

/** A signed call of the checkout server to the plugin is always a POST. Its body names the method of the call inside. */
function isWrite(request: ShopRequest): boolean {
  const method = request.path === "tillkit/v1/orders" ? jsonBody(request)?.method : request.method;
  return method !== "GET" && method !== "HEAD";
}

async function readRequest(request: IncomingMessage): Promise<ShopRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { method = "GET", url = "/", headers } = request;
  return parseRequest({ method, url, headers, bytes: Buffer.concat(chunks) });
}

type RawRequest = Pick<ShopRequest, "method" | "headers" | "bytes"> & {
  /** With or without the shop's origin. */
  readonly url: string;
};

export function parseRequest({ url: address, ...request }: RawRequest): ShopRequest {
  const url = new URL(address, "http://shop");
  const path = decodeURI(url.pathname).replace(/^\/wp-json\/?/, "");
  const isApi = url.pathname.startsWith("/wp-json");
  return {
    ...request,
    path: isApi ? path : `page:${url.pathname}`,
    query: parseLikePhp(url.searchParams),
  };
}

// PHP keeps the last value of a repeated name; only `name[]` is a list. Over http the REST client sends every name twice.
function parseLikePhp(query: URLSearchParams): URLSearchParams {
  const parsed = new URLSearchParams();
  for (const [name, value] of query) {
    if (name.endsWith("[]")) parsed.append(name, value);
    else parsed.set(name, value);
  }
  return parsed;
}

/** `withNotice`: puts a PHP message in front of the JSON, as a shop does that shows PHP errors. */
function send(
  response: ServerResponse,
  { status, body, headers }: ShopResponse,
  { withNotice }: { withNotice: boolean },
): void {
  const isHtml = typeof body === "string";
  response.writeHead(status, {
    "Content-Type": isHtml ? "text/html; charset=UTF-8" : "application/json; charset=UTF-8",
    "X-Robots-Tag": "noindex",
    ...headers,
  });
  const notice = withNotice ? "<br />\n<b>Deprecated</b>: strpos() in functions.php on line 7<br />\n" : "";
  response.end(isHtml ? body : notice + JSON.stringify(body));
}

function sendDisturbance(response: ServerResponse, disturbance: Disturbance): void {
  if (disturbance === "hang-up") response.destroy();
  if (disturbance === "silence" || disturbance === "hang-up") return;
  if (disturbance === "redirect") {
    response.writeHead(301, { Location: "https://www.shop.example/wp-json/wc/v3/orders" }).end();
    return;
  }
  const page = "<!doctype html><html><head><title>Shop</title></head><body>Shop</body></html>";
  const status = { maintenance: 503, html: 200, forbidden: 403, error: 500, notice: 200, drip: 200 }[disturbance];
  response.writeHead(status, {
    "Content-Type": disturbance === "drip" ? "application/json" : "text/html; charset=UTF-8",
    ...(disturbance === "maintenance" ? { "Retry-After": "600" } : {}),
  });
  if (disturbance !== "drip") {
    response.end(page);
    return;
  }
  const drip = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(drip));
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
