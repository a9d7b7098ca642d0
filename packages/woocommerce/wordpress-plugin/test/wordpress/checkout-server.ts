import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type ReceivedCall = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** Stands in for the checkout server: the tests decide what it answers, and see what the plugin sent. */
export type TestCheckoutServer = {
  readonly url: string;
  answer(path: string, body: object, status?: number): void;
  calls(path: string): readonly ReceivedCall[];
  close(): Promise<void>;
};

export async function startCheckoutServer(): Promise<TestCheckoutServer> {
  const answers = new Map<string, { status: number; body: object }>();
  const received = new Map<string, ReceivedCall[]>();
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const body = await text(request);
    received.set(path, [...(received.get(path) ?? []), { headers: request.headers, body }]);
    const { status, body: fields } = answers.get(path) ?? { status: 404, body: {} };
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ time: Math.floor(Date.now() / 1_000), ...fields }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (path, body, status = 200) => void answers.set(path, { status, body }),
    calls: (path) => received.get(path) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
