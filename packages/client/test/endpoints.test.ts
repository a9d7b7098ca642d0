import { createServiceClient } from "@tillkit/client";
import { endpoints } from "@tillkit/client/endpoints";
import { expect, test } from "vitest";
import { TEST_KEY } from "./test-client.ts";

test("the client has exactly one method for every row of the endpoint table", () => {
  const client = createServiceClient({ apiKey: TEST_KEY, baseUrl: "https://api.example" });
  const methods = Object.entries(client).flatMap(([resource, calls]) =>
    typeof calls === "object" ? Object.keys(calls).map((call) => `${resource}.${call}`) : [],
  );
  expect(methods.sort()).toEqual(
    Object.values(endpoints)
      .map((row) => row.clientMethod)
      .sort(),
  );
});

test("no two rows of the endpoint table have the same method and path", () => {
  const routes = Object.values(endpoints).map((row) => `${row.method} ${row.path.replace(/\{\w+\}/g, "{}")}`);
  expect(new Set(routes).size).toBe(routes.length);
});
