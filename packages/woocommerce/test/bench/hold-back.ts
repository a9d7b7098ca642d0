import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type HeldWebhooks = {
  readonly url: string;
  /** When they were handed on, milliseconds since 1970. */
  forwardedAt(): number;
  close(): void;
};

/** Takes webhooks in the companion's place, and hands all of them on in the same moment whenever so many are there. */
export async function holdWebhooks(companionUrl: string, path: string, until: number): Promise<HeldWebhooks> {
  // By signature: one that is sent again is the same one.
  const held = new Map<string, Buffer>();
  let forwardedAt = Number.NaN;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    response.end();
    held.set(String(request.headers["x-service-signature"]), Buffer.concat(chunks));
    if (held.size < until) return;
    const all = [...held];
    held.clear();
    forwardedAt = Date.now();
    await Promise.all(all.map(handOn));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function handOn([signature, body]: readonly [string, Buffer]): Promise<void> {
    const headers = { "X-Service-Signature": signature };
    const { status } = await fetch(companionUrl + path, { method: "POST", headers, body });
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
