import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { HttpResponse, ResponseToSend } from "./http-response.ts";

/** Sends a response of the API as it is, or altered by a fault. */
export function sendResponse(serverResponse: ServerResponse, toSend: ResponseToSend): void {
  if (toSend === "reset") {
    serverResponse.socket?.resetAndDestroy();
    return;
  }
  const { response, isCut } = toSend;
  const body = response.body ?? "";
  serverResponse.writeHead(response.status, withLength(response, Buffer.byteLength(body)));
  if (!isCut) {
    // A string body lets Node send head and body in one write.
    serverResponse.end(body);
    return;
  }
  serverResponse.write(body.slice(0, body.length / 2), () => serverResponse.socket?.destroy());
}

/** Sends a page with the best compression that the browser accepts. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: HttpResponse): void {
  const text = Buffer.from(page.body ?? "");
  const { bytes, encoding } = compress(text, String(request.headers["accept-encoding"] ?? ""));
  response.writeHead(page.status, {
    ...withLength(page, bytes.length),
    ...(encoding === null ? {} : { "Content-Encoding": encoding, Vary: "Accept-Encoding, Accept-Language" }),
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function withLength({ status, headers }: HttpResponse, length: number): Record<string, string> {
  return status === 204 ? headers : { ...headers, "Content-Length": String(length) };
}

/** A shorter page gains nothing by compression. */
const MIN_COMPRESSED_BYTES = 500;

/** From 0, the fastest, to 11, the smallest result. */
const BROTLI_QUALITY = 5;

function compress(bytes: Buffer, accepted: string): { bytes: Buffer; encoding: "br" | "gzip" | null } {
  if (bytes.length < MIN_COMPRESSED_BYTES) return { bytes, encoding: null };
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    return { bytes: brotliCompressSync(bytes, { params }), encoding: "br" };
  }
  if (/\bgzip\b/.test(accepted)) return { bytes: gzipSync(bytes), encoding: "gzip" };
  return { bytes, encoding: null };
}
