import { ServiceError } from "../errors/service-error.ts";
import { createBodyCollector } from "./body-collector.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** The part of `fetch` that is used. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** For places without node:http. Connections are the platform's own matter. */
export function createFetchTransport(fetchOnce: FetchLike = (url, init) => fetch(url, init)): Transport {
  return async function sendOverFetch(request: TransportRequest): Promise<TransportResponse> {
    const { url, method, headers, signal, maxBytes } = request;
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
    const piece = await reader?.read().catch((cause: unknown) => {
      throw new ServiceError("response_truncated", "The connection closed in the middle of the service's answer.", {
        cause,
      });
    });
    if (piece === undefined || piece.done) return collector.bytes();
    try {
      collector.add(piece.value);
    } catch (tooLarge) {
      await reader?.cancel();
      throw tooLarge;
    }
  }
}
