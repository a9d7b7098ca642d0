import { ServiceError } from "../errors/service-error.ts";
import { createBodyCollector } from "./body-collector.ts";
import { notSent } from "./send-by.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** The part of `fetch` that the transport uses. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** For platforms without `node:http`. The platform manages the connections. */
export function createFetchTransport(fetchOnce: FetchLike = (url, init) => fetch(url, init)): Transport {
  return async function sendOverFetch(request: TransportRequest): Promise<TransportResponse> {
    const { url, method, headers, signal, maxBytes, sendBy } = request;
    // `fetch` does not say when it has connected, so this is the latest moment at which the request can be held back.
    if (sendBy?.isOver()) throw notSent();
    const body = request.body ?? null;
    const response = await fetchOnce(url, { method, headers, body, signal, redirect: "manual" });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await collect(response, maxBytes),
    };
  };
}

async function collect(response: Response, maxBytes: number): Promise<Uint8Array> {
  const collector = createBodyCollector(maxBytes);
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch((cause: unknown) => {
      throw new ServiceError("response_truncated", "The connection closed in the middle of the service's response.", {
        cause,
      });
    });
    if (chunk === undefined || chunk.done) return collector.bytes();
    try {
      collector.add(chunk.value);
    } catch (tooLarge) {
      await reader?.cancel();
      throw tooLarge;
    }
  }
}
