import { type Endpoint, endpoints, type OperationId } from "@tillkit/client/endpoints";
import type { Operation } from "./operations/operation.ts";
import { operations } from "./operations.ts";

export type Route = { operation: Operation; endpoint: Endpoint; params: Record<string, string> };

type Row = { operation: Operation; endpoint: Endpoint; segments: readonly string[] };

const rows: readonly Row[] = (Object.keys(endpoints) as OperationId[]).map((id) => ({
  operation: operations[id],
  endpoint: endpoints[id],
  segments: endpoints[id].path.split("/"),
}));

/** Finds the route of a request. `path` has no `/v1`. Null means that no route has this path and method. */
export function findRoute(method: string, path: string): Route | null {
  const segments = path.split("/");
  for (const { operation, endpoint, segments: pattern } of rows) {
    if (endpoint.method !== method || pattern.length !== segments.length) continue;
    const params = matchSegments(pattern, segments);
    if (params !== null) return { operation, endpoint, params };
  }
  return null;
}

/** The methods that a path takes. Empty for an unknown path. `*` stands for the whole API. */
export function methodsOf(path: string): readonly string[] {
  const segments = path.split("/");
  const matching = rows.filter(
    (row) =>
      path === "*" || (row.segments.length === segments.length && matchSegments(row.segments, segments) !== null),
  );
  return [...new Set(matching.map(({ endpoint }) => endpoint.method))];
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? "";
    if (expected.startsWith("{")) params[expected.slice(1, -1)] = decodeSegment(actual);
    else if (expected !== actual) return null;
  }
  return params;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
