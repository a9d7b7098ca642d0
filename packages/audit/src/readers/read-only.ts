import type { Transport, TransportRequest } from "@tillkit/client";
import { AuditError } from "../audit-error.ts";
import { operationsOf } from "./graphql-operations.ts";

/**
 * A transport that sends only what reads: GET, and GraphQL documents in which every operation is a query. `logIn` is the one document
 * that may be a mutation, word for word: Vendure logs in by one.
 * @throws AuditError `not_read_only`, before anything is sent
 */
export function createReadOnlyTransport(transport: Transport, logIn: string | null = null): Transport {
  return async function sendRead(request) {
    if (request.method !== "GET" && !readsByPost(request, logIn))
      throw new AuditError("not_read_only", `An audit only reads, and ${request.method} is no read: nothing was sent.`);
    return await transport(request);
  };
}

function readsByPost({ method, body }: TransportRequest, logIn: string | null): boolean {
  if (method !== "POST" || body === undefined) return false;
  const document = documentOf(body);
  if (document === null) return false;
  if (logIn !== null && document === logIn) return true;
  const operations = operationsOf(document);
  return operations !== null && operations.length > 0 && operations.every((operation) => operation === "query");
}

function documentOf(body: Uint8Array): string | null {
  try {
    const { query, ...rest } = JSON.parse(new TextDecoder().decode(body));
    // A batch, or a stored document that only has an id, cannot be checked.
    const isPlain = Object.keys(rest).every((name) => name === "variables" || name === "operationName");
    return typeof query === "string" && isPlain ? query : null;
  } catch {
    return null;
  }
}
