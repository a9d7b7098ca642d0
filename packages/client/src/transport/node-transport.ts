import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as openHttp } from "node:http";
import { Agent as HttpsAgent, request as openHttps } from "node:https";
import { ServiceError } from "../errors/service-error.ts";
import { MAX_CONNECTIONS, MAX_REMEMBERED_ORIGINS } from "../system/limits.ts";
import { createBodyCollector } from "./body-collector.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** Keep-alive connections over `node:http` and `node:https`, to be shared by many clients. Idle connections let the process end. */
export function createNodeTransport(): Transport {
  // Every connection may stay idle. One that is closed when many calls end together is opened again for the next calls, with a TLS handshake.
  const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: MAX_CONNECTIONS };
  const plain = new HttpAgent(settings);
  const secure = new HttpsAgent(settings);
  // The connections of an agent differ in nothing else; Node's own name lists twenty TLS options and is made three times a call.
  plain.getName = secure.getName = (address) => `${address?.host}:${address?.port}`;
  const originOf = rememberOrigins();

  return function sendOverNode(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const origin = originOf(request.url);
      const isPlain = origin.protocol === "http:";
      const outgoing = (isPlain ? openHttp : openHttps)({
        ...origin.address,
        path: request.url.slice(origin.length) || "/",
        method: request.method,
        headers: request.headers,
        agent: request.reuseConnection ? (isPlain ? plain : secure) : false,
      });
      const stopListening = onAbort(request, () => outgoing.destroy(new Error("The call ended.")));
      outgoing.on("error", (error) => {
        stopListening();
        reject(error);
      });
      outgoing.on("response", (incoming) => {
        incoming.on("close", stopListening);
        collect(incoming, request.maxBytes, resolve, reject);
      });
      send(outgoing, request.body);
    });
  };
}

/** What Node needs of an address, without its path. */
type Origin = { readonly protocol: string; readonly address: object; readonly length: number };

/** Parses the origin of an address once: the addresses of one service differ only after it. */
function rememberOrigins(): (url: string) => Origin {
  const origins = new Map<string, Origin>();
  return (url) => {
    const text = ORIGIN.exec(url)?.[0] ?? url;
    const known = origins.get(text);
    if (known !== undefined) return known;
    const { protocol, hostname, port } = new URL(text);
    const address = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port };
    const origin = { protocol, address, length: text.length };
    if (origins.size === MAX_REMEMBERED_ORIGINS) origins.clear();
    origins.set(text, origin);
    return origin;
  };
}

const ORIGIN = /^\w+:\/\/[^/?#]*/;

function send(outgoing: ClientRequest, body: Uint8Array | undefined): void {
  if (body !== undefined) outgoing.setHeader("content-length", body.byteLength);
  outgoing.end(body);
}

/** Not the `signal` option of Node's request: it watches the whole life of both streams, for ten times the cost. */
function onAbort(request: TransportRequest, abort: () => void): () => void {
  if (request.onAbort !== undefined) return request.onAbort(abort);
  const { signal } = request;
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  return () => signal.removeEventListener("abort", abort);
}

function collect(
  incoming: IncomingMessage,
  maxBytes: number,
  resolve: (response: TransportResponse) => void,
  reject: (error: unknown) => void,
): void {
  const collector = createBodyCollector(maxBytes);
  incoming.on("data", (chunk: Uint8Array) => {
    try {
      collector.add(chunk);
    } catch (tooLarge) {
      reject(tooLarge);
      incoming.destroy();
    }
  });
  incoming.on("error", (cause) => {
    const message = "The connection closed in the middle of the service's response.";
    reject(new ServiceError("response_truncated", message, { cause }));
  });
  incoming.on("end", () =>
    resolve({ status: incoming.statusCode ?? 0, headers: plainHeaders(incoming), body: collector.bytes() }),
  );
}

/** Node joins the values of a header that stands twice, except for cookies. */
function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const cookies = headers["set-cookie"];
  return (cookies === undefined ? headers : { ...headers, "set-cookie": cookies.join(", ") }) as Record<string, string>;
}
