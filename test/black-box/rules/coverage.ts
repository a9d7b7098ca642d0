import { endpoints as ours } from "@tillkit/client/endpoints";
import { describe, expect, it } from "vitest";
import { seenOf } from "../coverage.ts";
import { type EndpointRule, endpoints } from "../operations.ts";
import { startService } from "../service.ts";

type Row = {
  readonly endpoint: string;
  /** In the table of our client. */
  readonly client: string;
  /** The status of success that was seen in this run. */
  readonly sandbox: string;
  /** In the published contract, if it belongs there. */
  readonly openapi: string;
  readonly tests: string;
};

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const hole = "HOLE";
const ourOperations: readonly string[] = Object.values(ours).map(({ method, path }) => `${method} ${path}`);

/** Stands last: it counts what the tests before it have seen. */
describe("Coverage of the service's API", () => {
  const service = startService();

  it("every endpoint is in our client, answered by the sandbox, published and under test", async () => {
    const response = await fetch(`${service.baseUrl()}/openapi.json`);
    const { paths }: { paths: Paths } = JSON.parse(await response.text());
    const reaches = measureReaches();
    const rows = endpoints.map((rule) => rowOf(rule, paths, reaches));
    console.log(tableOf(rows));
    expect(rows.filter((row) => Object.values(row).includes(hole))).toEqual([]);
    expect(new Set(ourOperations)).toEqual(new Set(endpoints.map(({ operation }) => operation)));
  });
});

/** A rule that holds for more endpoints, such as "without a key gives 401", says nothing about one of them. */
const widestReach = 8;

function rowOf({ operation, success, published }: EndpointRule, paths: Paths, reaches: Reaches): Row {
  const [method = "", path = ""] = operation.split(" ");
  const { statuses, tests } = seenOf(operation);
  const inDocument = paths[path]?.[method.toLowerCase()] !== undefined;
  const reach = (test: string) => reaches.get(ruleOf(test, operation)) ?? 0;
  const own = tests.filter((test) => reach(test) <= widestReach).sort((left, right) => reach(left) - reach(right));
  return {
    endpoint: operation,
    client: ourOperations.includes(operation) ? "yes" : hole,
    sandbox: statuses.includes(success) ? String(success) : hole,
    openapi: inDocument === published ? (published ? "yes" : "not public") : hole,
    tests: own.length === 0 ? hole : namesOf(own, tests.length),
  };
}

/** On how many endpoints a rule has been tried. */
type Reaches = ReadonlyMap<string, number>;

function measureReaches(): Reaches {
  const reaches = new Map<string, number>();
  for (const { operation } of endpoints) {
    for (const rule of new Set(seenOf(operation).tests.map((test) => ruleOf(test, operation)))) {
      reaches.set(rule, (reaches.get(rule) ?? 0) + 1);
    }
  }
  return reaches;
}

/** The name of a test without the endpoint that a table of tests has put into it. */
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
