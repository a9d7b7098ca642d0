import type { RequestListener } from "node:http";
import { parseUrl } from "@tillkit/client";
import type { WebhookHandler } from "@tillkit/runtime";

/**
 * Answers two kinds of requests on bare node:http, before the host's app. It answers webhooks, because no parser and no middleware
 * of the host may read a delivery before its signature is checked. It refuses URLs that no parser can read (`//[`), because each
 * route would throw, and a framework's error page shows where the program is installed. The response never repeats the URL,
 * because a URL can contain a secret token.
 */
export function createFrontListener(basePath: string, handleWebhook: WebhookHandler) {
  return function frontListener(next: RequestListener): RequestListener {
    return function handleFirst(request, response) {
      const url = request.url ?? "";
      const endpointId = endpointIdIn(url, basePath);
      if (endpointId !== null) return void handleWebhook(request, response, endpointId);
      if (parseUrl(url, "http://host") === null) {
        response.writeHead(400, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
        response.end("The address of this request cannot be read: check the link.\n");
        return;
      }
      next(request, response);
    };
  };
}

/** Null for any other address. Some proxies remove `basePath` and some do not, so the route is found with and without it. */
function endpointIdIn(url: string, basePath: string): string | null {
  const path = url.split("?", 1)[0] ?? "";
  const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return /^\/hooks\/service\/([^/]+)\/?$/.exec(local)?.[1] ?? null;
}
