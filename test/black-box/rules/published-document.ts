import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { startService } from "../service.ts";

// biome-ignore format: several names per line are easier to read
const allEvents = [
  "PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "SUBSCRIPTION_CREATED", "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_RENEWED", "SUBSCRIPTION_CANCELLED", "REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED",
  "DISPUTE_CREATED", "DISPUTE_UPDATED", "DISPUTE_CLOSED", "test.webhook",
];

type Parameter = { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: readonly Parameter[] }>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
};

describe("The published OpenAPI document", () => {
  const service = startService();
  const read = async (): Promise<Document> =>
    JSON.parse(await (await fetch(`${service.baseUrl()}/openapi.json`)).text());

  it("the document describes the fourteen events as webhooks", async () => {
    expect(new Set(Object.keys((await read()).webhooks))).toEqual(new Set(allEvents));
  });

  it("the document states the types and limits of the parameters of delivery logs", async () => {
    const { paths } = await read();
    const schemaOf = (path: string, name: string) =>
      paths[path]?.get?.parameters.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf("/webhook-delivery-logs/{id}", "id")).toMatchObject({ type: "string", format: "uuid" });
    expect(schemaOf("/webhooks/{id}/logs", "id")).toMatchObject({
      type: "string",
      pattern: expect.stringContaining("wh_"),
    });
    expect(schemaOf("/webhooks/{id}/logs", "limit")).toMatchObject({ type: "integer", maximum: 100 });
    expect(schemaOf("/webhooks/{id}/logs", "offset")).toMatchObject({ type: "integer" });
    expect(schemaOf("/webhooks/{id}/logs", "success")).toMatchObject({ type: "boolean" });
    expect(schemaOf("/webhooks/{id}/logs", "failed")).toMatchObject({ type: "boolean" });
  });
});

describe("Requests that HTTP does not allow", () => {
  const service = startService();

  it.each([
    ["an unknown Expect", 417, ["Host: localhost", "Expect: tea"]],
    ["no Host", 400, []],
  ])("a request with %s gives %d with the error object and its request id", async (_, status, headers) => {
    const { hostname, port } = new URL(service.baseUrl());
    const socket = connect(Number(port), hostname);
    socket.write(["GET /transactions HTTP/1.1", ...headers, "Connection: close", "", ""].join("\r\n"));
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const { error, request_id } = JSON.parse(body);
    expect(error).toMatchObject({ code: "bad_request", message: expect.any(String) });
    expect(head.toLowerCase()).toContain(`x-request-id: ${request_id}`);
  });
});
