import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the simulator with its body. */
export type SimulatorRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Uint8Array;
};

/** A `body` of type string is sent as an HTML page, any other body as JSON. */
export type SimulatorResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** `reset`: the connection breaks. `hang`: the connection stays open without a response. */
export type NoResponse = "reset" | "hang";

export type HttpServer = { readonly origin: string; close(): Promise<void> };

export async function startHttpServer(
  respond: (request: SimulatorRequest) => Promise<SimulatorResponse | NoResponse>,
  port: number,
): Promise<HttpServer> {
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: Error) => {
      // A failure of the simulator must not look like a response of Shopify.
      response.writeHead(500, { "Content-Type": "text/plain" }).end(`The simulator failed: ${error.message}`);
    });
  });
  // Longer than the pause between two requests of a test, so that a kept connection is never closed before a request.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = await respond(await read(request));
    if (result === "reset") response.destroy();
    if (result === "reset" || result === "hang") return;
    const { status, body, headers } = result;
    const isPage = typeof body === "string";
    response.writeHead(status, {
      "Content-Type": isPage ? "text/html; charset=utf-8" : "application/json",
      ...headers,
    });
    response.end(isPage ? body : JSON.stringify(body));
  }

  const { port: actualPort } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${actualPort}`, close: () => closeServer(server) };
}

async function read(request: IncomingMessage): Promise<SimulatorRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const url = new URL(request.url ?? "/", "http://shopify");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    bytes: Buffer.concat(chunks),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
