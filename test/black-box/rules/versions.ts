import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { answeringEndpoints, unknownParams } from "../operations.ts";
import { startService } from "../service.ts";
import { openSession, order } from "../steps.ts";

describe("Base and versions", () => {
  const service = startService();

  it("checkout sessions are made and read with the prefix /v1 and without it", async () => {
    const withPrefix = await service.call("POST /checkout-sessions", { prefix: "/v1", body: order });
    const without = await openSession(service.call);
    for (const id of [withPrefix.text("id"), without.text("id")]) {
      const call = { params: { id } };
      expect((await service.call("GET /checkout-sessions/{id}", call)).text("id")).toBe(id);
      expect((await service.call("GET /checkout-sessions/{id}", { ...call, prefix: "/v1" })).text("id")).toBe(id);
    }
  });

  it.each(answeringEndpoints.map(({ operation }) => operation))(
    "%s answers the same with /v1 and without it",
    async (operation) => {
      // Unknown ids and wrong values make the service refuse the request, so that the first call does not affect the second.
      const call = { params: unknownParams(operation), query: { limit: "none", currency: "none" }, body: undefined };
      const plain = await service.call(operation, call);
      const prefixed = await service.call(operation, { ...call, prefix: "/v1" });
      expect(prefixed.status).toBe(plain.status);
      expect(plain.raw).not.toContain("Route not found");
    },
  );

  it("a request pins the schema version 1.2.0 with Service-Version", async () => {
    const answer = await service.call("POST /checkout-sessions", {
      body: order,
      headers: { "Service-Version": "1.2.0" },
    });
    expect(answer.status).toBe(201);
  });

  it("an unknown pinned version gives 400 bad_request", async () => {
    const answer = await service.call("POST /checkout-sessions", {
      body: order,
      headers: { "Service-Version": "9.9.9" },
    });
    expectRefusal(answer, 400, "bad_request");
  });

  it("every answer echoes Service-Version 1.2.0, a refusal too", async () => {
    const answers = [await service.call("GET /transactions"), await service.call("GET /transactions", { key: null })];
    expect(answers.map((answer) => answer.headers.get("Service-Version"))).toEqual(["1.2.0", "1.2.0"]);
  });

  it("the sandbox listens only on the loopback interface", async () => {
    const { hostname, port } = new URL(service.baseUrl());
    expect(["127.0.0.1", "localhost", "[::1]"]).toContain(hostname);
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, family } of addresses.filter(({ internal }) => !internal)) {
      // A link-local address needs a zone, which a URL cannot contain.
      if (address.startsWith("fe80")) continue;
      const host = family === "IPv6" ? `[${address}]` : address;
      await expect(fetch(`http://${host}:${port}/organizations`), host).rejects.toThrow();
    }
  });
});
