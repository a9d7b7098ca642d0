import type { RequestListener } from "node:http";

const WORKER_ROUTES: ReadonlySet<string> = new Set(["/livez", "/healthz", "/readyz", "/metrics"]);

/**
 * Passes on the requests that a worker answers and refuses all others, before the host's app. The refusal is a 503, because the
 * service never sends a webhook again that was answered with a 4xx, and a load balancer tries the next process after a 503.
 */
export function createWorkerRoutes(basePath: string) {
  return function workerRoutes(next: RequestListener): RequestListener {
    return function handleInWorker(request, response) {
      const path = (request.url ?? "").split("?", 1)[0] ?? "";
      const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
      if (WORKER_ROUTES.has(local)) return next(request, response);
      response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
      response.end("This process only works in the background: send requests to a process with the role receiver.\n");
      // Closing at once would reset the connection of a sender that has not finished its body.
      request.resume();
    };
  };
}
