import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type WebhookBatch = {
  readonly url: string;
  /** When the batch was forwarded, milliseconds since 1970. NaN before. */
  forwardedAt(): number;
  close(): void;
};

/** Receives webhooks instead of the checkout server and forwards them together once a batch is complete. */
export async function batchWebhooks(checkoutServerUrl: string, path: string, batchSize: number): Promise<WebhookBatch> {
  // Keyed by signature, so that a retried webhook counts once.
  const collected = new Map<string, Buffer>();
  let forwardedAt = Number.NaN;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    response.end();
    collected.set(String(request.headers["x-service-signature"]), Buffer.concat(chunks));
    if (collected.size < batchSize) return;
    const batch = [...collected];
    collected.clear();
    forwardedAt = Date.now();
    await Promise.all(batch.map(forward));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function forward([signature, body]: readonly [string, Buffer]): Promise<void> {
    const headers = { "X-Service-Signature": signature };
    const { status } = await fetch(checkoutServerUrl + path, { method: "POST", headers, body });
    if (status !== 200) throw new Error(`A webhook was answered ${status}.`);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    forwardedAt: () => forwardedAt,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
