import type { IncomingWebhook } from "@tillkit/core";
import type { CheckoutServer } from "../checkout-server/checkout-server.ts";

type Answer = { readonly status: number; readonly code: string; readonly message: string };

/** The servers that know a webhook endpoint. A server that cannot tell, because its ledger is down, is included. */
export async function findServersOfEndpoint(
  servers: readonly CheckoutServer[],
  endpointId: string,
): Promise<readonly CheckoutServer[]> {
  const known = await Promise.all(
    servers.map(({ engine }) =>
      engine.tenants.endpoint(endpointId).then(
        (endpoint) => endpoint !== null,
        () => true,
      ),
    ),
  );
  return servers.filter((_, index) => known[index]);
}

/**
 * Gives the raw bytes of one delivery to several servers. The delivery is accepted when all servers have stored it. Otherwise the
 * service sends it again, and the servers that have stored it recognise its digest. To a ledger without the event's payment, the event
 * is unrelated.
 */
export async function receiveInAll(servers: readonly CheckoutServer[], delivery: IncomingWebhook): Promise<Answer> {
  const answers = await Promise.all(servers.map((server) => receiveIn(server, delivery)));
  // A removed endpoint is no reason to refuse what the other servers took.
  const ofEndpoint = answers.filter(({ status }) => status !== 404);
  const refusals = ofEndpoint.filter(({ status }) => status !== 200);
  // The service repeats a delivery after a 5xx, and not after a 4xx.
  const repeatable = refusals.find(({ status }) => status >= 500);
  if (repeatable !== undefined) return repeatable;
  return refusals[0] ?? ofEndpoint[0] ?? answers[0] ?? NOT_STORED;
}

const NOT_STORED: Answer = {
  status: 503,
  code: "storage_failed",
  message: "The delivery could not be stored: send it again.",
};

// Through the server's own route, so that its log, its metrics and its timer know the delivery.
async function receiveIn(server: CheckoutServer, delivery: IncomingWebhook): Promise<Answer> {
  const { endpointId, bytes, signature, event } = delivery;
  const headers = new Headers({ "content-type": "application/json", "x-service-signature": String(signature) });
  if (event !== undefined) headers.set("x-service-event", event);
  try {
    const url = `http://localhost/hooks/service/${endpointId}`;
    const response = await server.fetch(new Request(url, { method: "POST", headers, body: Buffer.from(bytes) }));
    return { status: response.status, ...((await response.json()) as Omit<Answer, "status">) };
  } catch {
    return NOT_STORED;
  }
}
