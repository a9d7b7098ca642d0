import { createHash } from "node:crypto";
import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { parseEvent } from "@tillkit/client/webhooks";

/** A delivery that was answered with 2xx. */
export type AcknowledgedDelivery = {
  readonly digest: string;
  readonly sessionId: string | null;
  readonly transactionId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  readonly at: number;
};

/**
 * A load balancer in front of the server processes. If a process dies during a request, the connection is closed; the request
 * is never sent to another process.
 */
export type LoadBalancer = {
  readonly url: string;
  readonly acknowledged: readonly AcknowledgedDelivery[];
  /** The number of requests in flight. */
  busy(): number;
  /** Gives up the requests to the server on this port, as after a time-out. */
  abandon(port: number): void;
  close(): Promise<void>;
};

export type LoadBalancerOptions = {
  /** Returns the port of a running server, or null if there is none. */
  readonly pickPort: () => number | null;
  readonly callShop: (storeId: string, method: string, parameters: readonly unknown[]) => Promise<unknown>;
  readonly onAcknowledged: () => void;
  readonly now: () => number;
};

export async function startLoadBalancer({
  pickPort,
  callShop,
  onAcknowledged,
  now,
}: LoadBalancerOptions): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: false });
  const acknowledged: AcknowledgedDelivery[] = [];
  const forwarded = new Map<ClientRequest, number>();
  let busy = 0;

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const [, section = "", storeId = "", method = ""] = (incoming.url ?? "").split("/");
    if (section === "shop") {
      const reply = await callShop(storeId, method, JSON.parse(body.toString()) as unknown[]);
      return void response.end(JSON.stringify(reply));
    }
    const answer = await forward(incoming, body, pickPort(), { agent, forwarded });
    if (section === "hooks" && answer.status >= 200 && answer.status < 300) {
      const digest = createHash("sha256").update(body).digest("hex");
      const { sessionId, transactionId, refundId, disputeId } = parseEvent(body) ?? {};
      acknowledged.push({
        digest,
        sessionId: sessionId ?? null,
        transactionId: transactionId ?? null,
        refundId: refundId ?? null,
        disputeId: disputeId ?? null,
        at: now(),
      });
      onAcknowledged();
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((incoming, response) => {
    busy += 1;
    handle(incoming, response)
      .catch(() => response.destroy())
      .finally(() => {
        busy -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    acknowledged,
    busy: () => busy,
    abandon(port) {
      for (const [request, to] of forwarded) if (to === port) request.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type ForwardedResponse = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer };

function forward(
  incoming: IncomingMessage,
  body: Buffer,
  port: number | null,
  { agent, forwarded }: { readonly agent: Agent; readonly forwarded: Map<ClientRequest, number> },
): Promise<ForwardedResponse> {
  return new Promise((resolve, reject) => {
    if (port === null) return reject(new Error("No server is running."));
    const { method, url, headers } = incoming;
    const sent = request({ host: "127.0.0.1", port, method, path: url, headers, agent }, (answer) => {
      const { statusCode: status = 502 } = answer;
      const location = answer.headers.location === undefined ? {} : { location: answer.headers.location };
      buffer(answer).then((bytes) => resolve({ status, headers: location, body: bytes }), reject);
    });
    forwarded.set(sent, port);
    sent.once("close", () => forwarded.delete(sent));
    sent.on("error", reject);
    sent.end(body);
  });
}
