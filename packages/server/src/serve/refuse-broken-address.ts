import type { RequestListener } from "node:http";

/**
 * Answers a request whose address no URL parser can read (`//[`) before any route or middleware of the host sees it: each of
 * them would throw, and an error page of a framework shows where the program is installed. The answer never repeats the
 * address, which can be a key.
 */
export function refuseBrokenAddress(next: RequestListener): RequestListener {
  return function brokenAddressRefused(request, response) {
    if (URL.canParse(request.url ?? "", "http://host")) return next(request, response);
    response.writeHead(400, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
    response.end("The address of this request cannot be read: check the link.\n");
  };
}
