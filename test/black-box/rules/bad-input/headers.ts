import { describe, it } from "vitest";
import { fullBodies } from "../../odd-input.ts";
import { startService } from "../../service.ts";
import { createResources } from "./existing-resources.ts";
import { expectNoServerError, operations, operationsWithBody } from "./odd-requests.ts";

describe("A bad header gives the error object: no 500, no stack trace", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const { paramsOf } = createResources(service);

  it.each(operations)("%s answers no 500 to headers of every kind", async (operation) => {
    const values = [
      "",
      " ",
      "x".repeat(4000),
      "é",
      "null",
      "undefined",
      "svc_sk_test_",
      "acct_",
      "pending,failed",
      "1.2.0, 1.2.0",
      "\t",
    ];
    const names = [
      "X-API-Key",
      "Authorization",
      "x-service-api-key",
      "Idempotency-Key",
      "X-Scenario-Key",
      "Service-Account",
      "Service-Version",
    ];
    for (const name of names) {
      for (const value of values) {
        const call = { params: paramsOf(operation), body: fullBodies[operation], headers: { [name]: value } };
        expectNoServerError(operation, await service.call(operation, call), { [name]: value });
      }
    }
  });

  it("content types and encodings of every kind give no 500", async () => {
    const types = [
      "",
      "text/html",
      "application/xml",
      "multipart/form-data",
      "application/json; charset=utf-7",
      "application/jsonx",
      "x",
    ];
    for (const operation of operationsWithBody) {
      for (const type of types) {
        const call = {
          params: paramsOf(operation),
          body: fullBodies[operation],
          headers: { "Content-Type": type },
        };
        expectNoServerError(operation, await service.call(operation, call), type);
      }
      for (const encoding of ["gzip", "br", "deflate", "rot13"]) {
        const call = {
          params: paramsOf(operation),
          body: fullBodies[operation],
          headers: { "Content-Encoding": encoding },
        };
        expectNoServerError(operation, await service.call(operation, call), encoding);
      }
    }
  });
});
