import { describe, expect, it } from "vitest";
import { fullBodies, oddTexts, queryNames } from "../../odd-input.ts";
import { startService } from "../../service.ts";
import { createResources } from "./existing-resources.ts";
import { expectNoServerError, operationsWithId, readOperations, withoutLoneSurrogates } from "./odd-requests.ts";

describe("A bad query or id gives the error object: no 500, no stack trace", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const { paramsOf } = createResources(service);

  it.each(readOperations)("%s answers no 500 to a wrong query parameter", async (operation) => {
    const params = paramsOf(operation);
    for (const name of queryNames) {
      for (const value of oddTexts) {
        expectNoServerError(operation, await service.call(operation, { params, query: { [name]: value } }), {
          [name]: value,
        });
      }
    }
  });

  it("a query parameter that is repeated, an array or broken gives no 500", async () => {
    for (const operation of readOperations) {
      const path = operation.replace("GET ", "").replace(/\{\w+\}/g, "x");
      for (const query of [
        "limit=1&limit=2",
        "limit[]=1",
        "limit[a]=1",
        "status[$ne]=x",
        "%",
        "%ff=%ff",
        "=",
        "&&&",
        "cursor=%00",
      ]) {
        const headers = { "X-API-Key": service.keys().test.secret };
        const response = await fetch(`${service.baseUrl()}${path}?${query}`, { headers });
        const text = await response.text();
        expect(response.status, `${operation} ?${query} ${text}`).toBeLessThan(500);
      }
    }
  });

  it.each(operationsWithId)("%s answers 4xx to every kind of wrong id", async (operation) => {
    // Without its id, a path names another route.
    const notEmpty = oddTexts.filter((text) => text !== "");
    for (const id of [...notEmpty, "%2e%2e%2f", "wh_", "pi_", "txn_", "1", "x".repeat(4000)]) {
      const params = {
        id: withoutLoneSurrogates(id),
        webhook_id: withoutLoneSurrogates(id),
        log_id: withoutLoneSurrogates(id),
      };
      const answer = await service.call(operation, {
        params,
        ...(fullBodies[operation] && { body: fullBodies[operation] }),
      });
      expectNoServerError(operation, answer, id);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});
