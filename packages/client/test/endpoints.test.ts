import { createServiceClient } from "@tillkit/client";
import { endpoints } from "@tillkit/client/endpoints";
import { expect, test } from "vitest";
import { TEST_KEY } from "./test-client.ts";

test("every row of the table has its method in the client, and the client has no other", () => {
  const client = createServiceClient({ apiKey: TEST_KEY, baseUrl: "https://api.example" });
  const methods = Object.entries(client).flatMap(([resource, calls]) =>
    typeof calls === "object" ? Object.keys(calls).map((call) => `${resource}.${call}`) : [],
  );
  expect(methods.sort()).toEqual(
    Object.values(endpoints)
      .map((row) => row.call)
      .sort(),
  );
});

test("no two rows answer the same request", () => {
  const routes = Object.values(endpoints).map((row) => `${row.method} ${row.path.replace(/\{\w+\}/g, "{}")}`);
  expect(new Set(routes).size).toBe(routes.length);
});
