import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { IncomingWebhook, WebhookAnswer } from "@tillkit/core";

/** Receives the service's webhooks on a real port, passes the raw bytes to core and sends core's answer. */
export type WebhookListener = { readonly url: string; close(): Promise<void> };

export async function listenForWebhooks(
  endpointId: string,
  receive: (webhook: IncomingWebhook) => Promise<WebhookAnswer>,
): Promise<WebhookListener> {
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const bytes = await readBody(request);
    const { status, code } = await receive({
      endpointId,
      bytes,
      signature: headers["x-service-signature"],
      event: headers["x-service-event"]?.toString(),
    });
    response.writeHead(status).end(code);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks/service/${endpointId}`, close: () => close(server) };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
