import { endpoints as ours } from "@tillkit/client/endpoints";
import { describe, expect, it } from "vitest";
import { recordedFor } from "../coverage.ts";
import { type EndpointRule, endpoints } from "../operations.ts";
import { startService } from "../service.ts";

type Row = {
  readonly endpoint: string;
  /** Whether the client's table contains the endpoint. */
  readonly client: string;
  /** The success status, if an answer in this run had it. */
  readonly sandbox: string;
  /** Whether the published document describes the endpoint exactly when it should. */
  readonly openapi: string;
  readonly tests: string;
};

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const missing = "MISSING";
const ourOperations: readonly string[] = Object.values(ours).map(({ method, path }) => `${method} ${path}`);

/** Runs last, because it counts the calls of all earlier tests. */
describe("Coverage of the service's API", () => {
  const service = startService();

  it("every endpoint is in our client, answered by the sandbox, published and under test", async () => {
    const response = await fetch(`${service.baseUrl()}/openapi.json`);
    const { paths }: { paths: Paths } = JSON.parse(await response.text());
    const endpointCounts = countEndpoints();
    const rows = endpoints.map((rule) => rowOf(rule, paths, endpointCounts));
    console.log(tableOf(rows));
    expect(rows.filter((row) => Object.values(row).includes(missing))).toEqual([]);
    expect(new Set(ourOperations)).toEqual(new Set(endpoints.map(({ operation }) => operation)));
  });
});

/** A test that runs for more endpoints, such as "without a key gives 401", does not count as a test of one endpoint. */
const maxEndpoints = 8;

function rowOf({ operation, success, published }: EndpointRule, paths: Paths, endpointCounts: EndpointCounts): Row {
  const [method = "", path = ""] = operation.split(" ");
  const { statuses, tests } = recordedFor(operation);
  const inDocument = paths[path]?.[method.toLowerCase()] !== undefined;
  const publication = published ? "yes" : "not public";
  const countOf = (test: string) => endpointCounts.get(ruleOf(test, operation)) ?? 0;
  const own = tests
    .filter((test) => countOf(test) <= maxEndpoints)
    .sort((left, right) => countOf(left) - countOf(right));
  return {
    endpoint: operation,
    client: ourOperations.includes(operation) ? "yes" : missing,
    sandbox: statuses.includes(success) ? String(success) : missing,
    openapi: inDocument === published ? publication : missing,
    tests: own.length === 0 ? missing : namesOf(own, tests.length),
  };
}

/** The number of endpoints for which each test ran, by the test's name without its endpoint. */
type EndpointCounts = ReadonlyMap<string, number>;

function countEndpoints(): EndpointCounts {
  const endpointCounts = new Map<string, number>();
  for (const { operation } of endpoints) {
    for (const rule of new Set(recordedFor(operation).tests.map((test) => ruleOf(test, operation)))) {
      endpointCounts.set(rule, (endpointCounts.get(rule) ?? 0) + 1);
    }
  }
  return endpointCounts;
}

/** The name of a test without the endpoint for which it ran. */
function ruleOf(test: string, operation: string): string {
  return test.replace(operation, "");
}

function namesOf(own: readonly string[], count: number): string {
  const shown = own.slice(0, 3).map((name) => name.replaceAll(" > ", ": "));
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
}

function tableOf(rows: readonly Row[]): string {
  const head = {
    endpoint: "endpoint",
    client: "client",
    sandbox: "sandbox",
    openapi: "OpenAPI",
    tests: "black-box tests",
  };
  return [head, ...rows]
    .map((row) =>
      [row.endpoint.padEnd(48), row.client.padEnd(6), row.sandbox.padEnd(7), row.openapi.padEnd(10), row.tests].join(
        "  ",
      ),
    )
    .join("\n");
}
