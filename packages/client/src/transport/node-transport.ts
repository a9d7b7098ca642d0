import { Agent as HttpAgent, type IncomingMessage, request as openHttp } from "node:http";
import { Agent as HttpsAgent, request as openHttps } from "node:https";
import { ServiceError } from "../errors/service-error.ts";
import { MAX_CONNECTIONS, MAX_IDLE_CONNECTIONS } from "../system/limits.ts";
import { createBodyCollector } from "./body-collector.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** Keep-alive connections over `node:http` and `node:https`, to be shared by many clients. Idle connections let the process end. */
export function createNodeTransport(): Transport {
  const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: MAX_IDLE_CONNECTIONS };
  const plain = new HttpAgent(settings);
  const secure = new HttpsAgent(settings);

  return function sendOverNode(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const isPlain = request.url.startsWith("http:");
      const open = isPlain ? openHttp : openHttps;
      const outgoing = open(request.url, {
        method: request.method,
        headers:
          request.body === undefined
            ? request.headers
            : { ...request.headers, "content-length": String(request.body.byteLength) },
        agent: request.reuseConnection ? (isPlain ? plain : secure) : false,
        signal: request.signal,
      });
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => collect(incoming, request.maxBytes).then(resolve, reject));
      outgoing.end(request.body);
    });
  };
}

function collect(incoming: IncomingMessage, maxBytes: number): Promise<TransportResponse> {
  const collector = createBodyCollector(maxBytes);
  return new Promise((resolve, reject) => {
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
  });
}

function plainHeaders(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
