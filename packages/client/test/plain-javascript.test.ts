import { createServiceClient } from "@tillkit/client";
import { createServiceClient as createFetchClient } from "@tillkit/client/fetch";
import { verifyEvent, verifyWebhook } from "@tillkit/client/webhooks";
import { describe, expect, test } from "vitest";
import { testClient } from "./test-client.ts";

/** A function without types, as plain JavaScript calls it. */
// biome-ignore lint/suspicious/noExplicitAny: the point of these tests is a call that TypeScript does not check
type Untyped = (...args: any[]) => any;

const create = createServiceClient as Untyped;
const createWithFetch = createFetchClient as Untyped;
const verifiers = [verifyWebhook, verifyEvent] as Untyped[];
const API_KEY = "svc_sk_test_0123456789abcdefghijABCDEFGHIJ42";

describe("a wrong call in plain JavaScript", () => {
  test.each([
    ["no options", [], "request_invalid", /needs an object: \{ apiKey: "svc_sk_…", baseUrl/],
    ["null", [null], "request_invalid", /needs an object/],
    ["a key instead of options", [API_KEY], "request_invalid", /needs an object/],
    ["options without a key", [{ baseUrl: "https://api.example" }], "key_invalid", /must be a secret key/],
    ["options without an address", [{ apiKey: API_KEY }], "url_invalid", /baseUrl must be a whole address/],
  ])("createServiceClient with %s says what it needs", (_name, args, code, message) => {
    for (const createClient of [create, createWithFetch]) {
      expect(() => createClient(...args)).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    }
  });

  test.each([
    ["a parsed body", { bytes: { event: "PAYMENT_SUCCEEDED" }, signature: "", secrets: ["whsec_1"] }, "body_parsed"],
    ["a text as body", { bytes: "{}", signature: "", secrets: ["whsec_1"] }, "body_parsed"],
    [
      "{ secret } instead of { secrets }",
      { bytes: new Uint8Array(), signature: "", secret: "whsec_1" },
      "request_invalid",
    ],
    ["one secret instead of a list", { bytes: new Uint8Array(), signature: "", secrets: "whsec_1" }, "request_invalid"],
    [
      "secrets of an unset variable",
      { bytes: new Uint8Array(), signature: "", secrets: [undefined] },
      "request_invalid",
    ],
    ["nothing", undefined, "body_parsed"],
  ])("a webhook cannot be verified with %s, and the error says why", (_name, delivery, code) => {
    for (const verify of verifiers) {
      expect(() => verify(delivery)).toThrow(expect.objectContaining({ name: "ServiceError", code }));
    }
  });

  test.each([
    ["refunds.create", [], /refunds\.create needs the body of POST \/refunds as an object/],
    ["refunds.create", [7], /needs the body/],
    ["refunds.create", [{ amount: 1 }, null], /the last argument of refunds\.create must be an object of options/],
    ["refunds.create", [{ amount: 1 }, "refund-1"], /must be an object of options/],
    ["checkoutSessions.create", [], /checkoutSessions\.create needs the body/],
    ["checkoutSessions.read", [], /needs a well-formed id/],
    ["checkoutSessions.read", [42], /needs a well-formed id/],
    ["webhooks.update", ["wh_1"], /webhooks\.update needs the body of PATCH/],
  ])("%s with the arguments %j says what is wrong and sends nothing", async (method, args, message) => {
    const { client } = testClient("http://127.0.0.1:1");
    const [resource = "", name = ""] = method.split(".");
    const call = (client as unknown as Record<string, Record<string, Untyped>>)[resource]?.[name] as Untyped;
    const refusal = { code: "request_invalid", message: expect.stringMatching(message) };
    await expect((async () => call(...args))()).rejects.toMatchObject(refusal);
  });

  test.each([[undefined], [{}], [{ limit: 0 }], [10]])("toArray(%j) says that it needs a limit", async (options) => {
    const { client } = testClient("http://127.0.0.1:1");
    const list = client.refunds.list();
    list.catch(() => undefined);
    const toArray = list.toArray as Untyped;
    await expect(toArray(options)).rejects.toMatchObject({
      code: "request_invalid",
      message: expect.stringContaining("toArray needs { limit }"),
    });
  });
});
