import type { RequestListener } from "node:http";
import type { WebhookHandler } from "@tillkit/runtime";

/**
 * Puts the webhook route in front of everything else, on bare node:http: no parser and no middleware of the host ever
 * touches a delivery. The route is found at the root and under `basePath`, for proxies that cut it off and those that do not.
 */
export function createWebhookListener(basePath: string, handleWebhook: WebhookHandler) {
  return function listener(next: RequestListener): RequestListener {
    return function takeWebhook(request, response) {
      const endpointId = webhookEndpointOf(request.url ?? "", basePath);
      if (endpointId === null) return next(request, response);
      void handleWebhook(request, response, endpointId);
    };
  };
}

function webhookEndpointOf(url: string, basePath: string): string | null {
  const path = url.split("?", 1)[0] ?? "";
  const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return /^\/hooks\/service\/([^/]+)\/?$/.exec(local)?.[1] ?? null;
}
