import { MAX_RESPONSE_BYTES } from "../system/limits.ts";
import type { FetchLike } from "./fetch-transport.ts";
import { createNodeTransport, type NodeTransportOptions } from "./node-transport.ts";

/**
 * `fetch` as the servers and the doctor use it for single requests: through the proxy of the environment, which Node's own `fetch` does
 * not know, with Node's codes in its errors. It follows no redirect, and sends bodies of bytes and of text.
 */
export function createNodeFetch(options: NodeTransportOptions = {}): FetchLike {
  const send = createNodeTransport({ keepAlive: false, ...options });
  return async function nodeFetch(url, { method = "GET", headers, body, signal }) {
    const {
      status,
      headers: received,
      body: bytes,
    } = await send({
      method,
      url,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === "string" ? new TextEncoder().encode(body) : (body as Uint8Array<ArrayBuffer> | undefined),
      signal: signal ?? new AbortController().signal,
      maxBytes: MAX_RESPONSE_BYTES,
      reuseConnection: true,
    });
    const hasBody = bytes.byteLength > 0 && ![204, 205, 304].includes(status);
    return new Response(hasBody ? (bytes as Uint8Array<ArrayBuffer>) : null, { status, headers: received });
  };
}
