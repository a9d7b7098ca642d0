import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@tillkit/core";
import type { Answer, Asked } from "./answer.ts";
import type { Disturbance, Faults } from "./faults.ts";

export type HttpDoor = { readonly origin: string; close(): Promise<void> };

/** A real HTTP server on the loopback, with everything that can go wrong between a companion and a shop. */
export async function openHttpDoor(
  answer: (asked: Asked) => Promise<Answer>,
  faults: Faults,
  clock: Clock,
  port: number,
): Promise<HttpDoor> {
  const closed = new AbortController();
  // Every request that is held back listens for the end.
  setMaxListeners(0, closed.signal);
  const server = createServer((request, response) => {
    void serve(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        faults.underWay -= 1;
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    faults.underWay += 1;
    const asked = await read(request);
    const how = faults.disturbance();
    if (how !== null && how !== "notice") return disturb(response, how);
    const writes = asked.method !== "GET" && asked.method !== "HEAD";
    if (writes) return await serveWrite(asked, response);
    await clock.sleep(faults.latencyMs(), closed.signal);
    send(response, await answer(asked), how === "notice");
  }

  async function serveWrite(asked: Asked, response: ServerResponse): Promise<void> {
    const fault = faults.takeWriteFault();
    if (fault === "unavailable") return disturb(response, "maintenance");
    if (fault === "lost-before-effect") return disturb(response, "hang-up");
    if (typeof fault === "object" && fault !== null) {
      faults.held += 1;
      await clock.sleep(fault.lateMs, closed.signal).finally(() => {
        faults.held -= 1;
      });
    } else await clock.sleep(faults.latencyMs(), closed.signal);
    const given = await answer(asked);
    if (fault === "lost-after-effect") return disturb(response, "hang-up");
    if (fault === "error-after-effect") return disturb(response, "error");
    send(response, given, faults.disturbance() === "notice");
  }

  const { port: taken } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    async close() {
      closed.abort();
      await closeServer(server);
    },
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const url = new URL(request.url ?? "/", "http://shop");
  const path = decodeURI(url.pathname).replace(/^\/wp-json\/?/, "");
  const isApi = url.pathname.startsWith("/wp-json");
  return {
    method: request.method ?? "GET",
    path: isApi ? path : `page:${url.pathname}`,
    query: asPhpReads(url.searchParams),
    headers: request.headers,
    bytes: Buffer.concat(chunks),
  };
}

// A name that comes twice counts once, the last time; only `name[]` is a list. The REST client sends every name twice over http.
function asPhpReads(query: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams();
  for (const [name, value] of query) {
    if (name.endsWith("[]")) read.append(name, value);
    else read.set(name, value);
  }
  return read;
}

function send(response: ServerResponse, { status, body, headers }: Answer, withNotice: boolean): void {
  const html = typeof body === "string";
  response.writeHead(status, {
    "Content-Type": html ? "text/html; charset=UTF-8" : "application/json; charset=UTF-8",
    "X-Robots-Tag": "noindex",
    ...headers,
  });
  const notice = withNotice ? "<br />\n<b>Deprecated</b>: strpos() in functions.php on line 7<br />\n" : "";
  response.end(html ? body : notice + JSON.stringify(body));
}

function disturb(response: ServerResponse, how: Disturbance): void {
  if (how === "hang-up") response.destroy();
  if (how === "silence" || how === "hang-up") return;
  if (how === "redirect") {
    response.writeHead(301, { Location: "https://www.shop.example/wp-json/wc/v3/orders" }).end();
    return;
  }
  const page = "<!doctype html><html><head><title>Shop</title></head><body>Shop</body></html>";
  const status = { maintenance: 503, html: 200, forbidden: 403, error: 500, notice: 200, drip: 200 }[how];
  response.writeHead(status, {
    "Content-Type": how === "drip" ? "application/json" : "text/html; charset=UTF-8",
    ...(how === "maintenance" ? { "Retry-After": "600" } : {}),
  });
  if (how !== "drip") {
    response.end(page);
    return;
  }
  const drops = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(drops));
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
