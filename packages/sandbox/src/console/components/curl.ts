import type { Exchange, RequestRecord } from "../../runtime/request-log.ts";

const headerNames: Readonly<Record<string, string>> = {
  "content-type": "Content-Type",
  "service-account": "Service-Account",
  "service-version": "Service-Version",
  "x-scenario-key": "X-Scenario-Key",
};

/**
 * The curl command that sends a request again. `$API_KEY` stands for the key, which the sandbox never shows, and `[hidden]` for
 * what is hidden in the body.
 */
export function curlCommand(baseUrl: string, request: RequestRecord, exchange: Exchange): string {
  const { method, path, idempotency_key } = request;
  const query = exchange.query === "" ? "" : `?${exchange.query}`;
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${headerNames[name] ?? name}: ${value}`);
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoteForShell(`${baseUrl}${path}${query}`)}`,
    '-H "X-API-Key: $API_KEY"',
    ...(idempotency_key === null ? [] : [`-H ${quoteForShell(`Idempotency-Key: ${idempotency_key}`)}`]),
    ...headers.map((header) => `-H ${quoteForShell(header)}`),
    ...(exchange.requestBody === null ? [] : [`-d ${quoteForShell(exchange.requestBody)}`]),
  ];
  return parts.join(" \\\n  ");
}

/** A shell changes nothing between single quotes. A single quote in the text ends the quotes, is escaped, and opens them again. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
