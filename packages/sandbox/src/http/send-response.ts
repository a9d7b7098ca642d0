import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { FaultedResponse, HttpResponse } from "./http-response.ts";

/** Sends an answer of the API as it is, or spoiled as a fault wants it. */
export function sendResponse(response: ServerResponse, spoiled: FaultedResponse): void {
  if (spoiled === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const { answer, cut } = spoiled;
  const body = answer.body ?? "";
  response.writeHead(answer.status, withLength(answer, Buffer.byteLength(body)));
  if (!cut) {
    // As text: head and body then leave in one write.
    response.end(body);
    return;
  }
  response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
}

/** Sends a page, compressed as the browser likes it best. */
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

function compress(bytes: Buffer, accepted: string): { bytes: Buffer; encoding: "br" | "gzip" | null } {
  if (bytes.length < 500) return { bytes, encoding: null };
  if (/\bbr\b/.test(accepted)) {
    return { bytes: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }), encoding: "br" };
  }
  return /\bgzip\b/.test(accepted) ? { bytes: gzipSync(bytes), encoding: "gzip" } : { bytes, encoding: null };
}
