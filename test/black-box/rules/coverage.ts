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
  readonly openapi: string;
  readonly tests: readonly string[];
};

const hole = "HOLE";

/** Stands last: it counts what the tests before it have seen. */
describe("Coverage of the service's API", () => {
  const service = startService();

  it("every endpoint is in our client, answered by the sandbox, published and under test", async () => {
    const document: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
      await (await fetch(`${service.baseUrl()}/openapi.json`)).text(),
    );
    const rows = endpoints.map((rule) => rowOf(rule, document.paths));
    console.log(tableOf(rows));
    expect(rows.filter((row) => Object.values(row).includes(hole) || row.tests.length === 0)).toEqual([]);
    expect(new Set(ourOperations)).toEqual(new Set(endpoints.map(({ operation }) => operation)));
  });
});

const ourOperations = Object.values(ours).map(({ method, path }) => `${method} ${path}`);

function rowOf({ operation, success, published }: EndpointRule, paths: Record<string, Record<string, unknown>>): Row {
  const [method = "", path = ""] = operation.split(" ");
  const { statuses, tests } = seenOf(operation);
  const inDocument = paths[path]?.[method.toLowerCase()] !== undefined;
  return {
    endpoint: operation,
    client: ourOperations.includes(operation) ? "yes" : hole,
    sandbox: statuses.includes(success) ? String(success) : hole,
    openapi: inDocument === published ? (published ? "yes" : "not public") : hole,
    // A rule that holds for all endpoints names its endpoint in the title; what counts is what is said of this one alone.
    tests: tests.filter((name) => !name.includes(operation)),
  };
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ endpoint, client, sandbox, openapi, tests }) => [
    endpoint.padEnd(48),
    client.padEnd(6),
    sandbox.padEnd(7),
    openapi.padEnd(10),
    tests.length === 0 ? hole : `${String(tests.length).padStart(4)}  ${namesOf(tests)}`,
  ]);
  const head = ["endpoint".padEnd(48), "client", "sandbox", "OpenAPI".padEnd(10), "black-box tests"];
  return [head, ...lines].map((line) => line.join("  ")).join("\n");
}

function namesOf(tests: readonly string[]): string {
  const shown = tests.slice(0, 3).map((name) => name.replaceAll(" > ", ": "));
  const more = tests.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
}
