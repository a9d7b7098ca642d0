import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request to Shopify, read. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Uint8Array;
};

/** `body`: a page where it is a text, else JSON. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** No answer comes: the connection breaks, or stays silent for ever. */
export type NoAnswer = "reset" | "hang";

export type HttpDoor = { readonly origin: string; close(): Promise<void> };

export async function openHttpDoor(
  answer: (asked: Asked) => Promise<Answer | NoAnswer>,
  port: number,
): Promise<HttpDoor> {
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: Error) => {
      // A request that the simulator itself cannot read must not look like an answer of Shopify's.
      response.writeHead(500, { "Content-Type": "text/plain" }).end(`The simulator failed: ${error.message}`);
    });
  });
  // Shopify keeps connections; so that a client's kept one is never closed between two requests of a test.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = await answer(await read(request));
    if (given === "reset") response.destroy();
    if (given === "reset" || given === "hang") return;
    const { status, body, headers } = given;
    const isPage = typeof body === "string";
    response.writeHead(status, {
      "Content-Type": isPage ? "text/html; charset=utf-8" : "application/json",
      ...headers,
    });
    response.end(isPage ? body : JSON.stringify(body));
  }

  const { port: taken } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${taken}`, close: () => closeServer(server) };
}

async function read(request: IncomingMessage): Promise<Asked> {
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
