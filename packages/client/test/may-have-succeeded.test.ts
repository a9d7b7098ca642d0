import { isServiceError, type ServiceError } from "@tillkit/client";
import { describe, expect, test } from "vitest";
import {
  type Behavior,
  neverResponds,
  resetsConnection,
  responds,
  respondsWithError,
  SESSION,
  startFaultServer,
  truncatesBody,
} from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const REFUND = { transaction_id: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60", amount: 5000 };
const PREVIEW = { requires_confirmation: true, confirmation_token: "token-1" };
const keyOption = { idempotencyKey: "refund-1" };

describe("a refund whose first attempt got no response", () => {
  const faults: Record<string, Behavior> = {
    "the connection is reset": resetsConnection,
    "the body is truncated": truncatesBody,
    "the service responds with 503": respondsWithError(503, "service_unavailable"),
    "a gateway responds with 502 in HTML": responds(502, "<h1>Bad gateway</h1>"),
    "the first attempt is still running": respondsWithError(409, "idempotency_in_progress"),
  };
  const refusals: [number, string][] = [
    [400, "bad_request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
    [409, "conflict"],
  ];
  for (const [fault, firstBehavior] of Object.entries(faults)) {
    test.each(refusals)(
      `a refund may have succeeded when ${fault} and its repeat is refused with %i %s`,
      async (status, code) => {
        const error = await failureOfRefund(firstBehavior, respondsWithError(status, code));
        expect(error).toMatchObject({ code, status, mayHaveSucceeded: true });
      },
    );
  }

  test("a refund may have succeeded when the rate limit ends the call before its repeat", async () => {
    const error = await failureOfRefund(
      resetsConnection,
      respondsWithError(429, "rate_limit_exceeded", { "retry-after": "3600" }),
    );
    expect(error).toMatchObject({ code: "rate_limit_exceeded", retryAfterMs: 3_600_000, mayHaveSucceeded: true });
  });

  test("the JSON of an error says that the write may have succeeded", async () => {
    const error = await failureOfRefund(resetsConnection, respondsWithError(404, "not_found"));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: "not_found", mayHaveSucceeded: true });
  });
});

describe("a write without any readable response", () => {
  const faults: Record<string, Behavior> = {
    "a reset on every attempt": resetsConnection,
    "a truncated body on every attempt": truncatesBody,
    "500 on every attempt": respondsWithError(500, "internal_error"),
    "a page of a gateway with status 404": responds(404, "<h1>Not found</h1>"),
    "a timeout of a gateway with status 408": respondsWithError(408, "bad_request"),
    "a redirect": responds(302, "", { location: "https://elsewhere.example" }),
    "a success in HTML": responds(200, "<h1>Welcome</h1>"),
    "an empty success": responds(201, ""),
    "a success without refund_id": responds(201, { success: true, status: "pending" }),
    "a success that holds a list of refunds": responds(201, { data: [{ refund_id: "a" }, { refund_id: "b" }] }),
  };
  test.each(Object.entries(faults))("a refund may have succeeded after %s", async (_, fault) => {
    expect(await failureOfRefund(fault)).toMatchObject({ mayHaveSucceeded: true });
  });

  test("a refund may have succeeded when its deadline ends first", async () => {
    const service = await startFaultServer(neverResponds);
    const { client } = testClient(service.baseUrl, { clock: undefined, deadlineMs: 80 });
    const error = await failure(client.refunds.create(REFUND, keyOption));
    expect(error).toMatchObject({ code: "deadline_exceeded", mayHaveSucceeded: true });
  });

  test("a refund may have succeeded when its caller aborts the call after the request was sent", async () => {
    const service = await startFaultServer(neverResponds);
    const { client } = testClient(service.baseUrl);
    const caller = new AbortController();
    const failed = failure(client.refunds.create(REFUND, { ...keyOption, signal: caller.signal }));
    await expect.poll(() => service.received.length).toBe(1);
    caller.abort();
    expect(await failed).toMatchObject({ code: "aborted", mayHaveSucceeded: true });
  });

  test("a write without an Idempotency-Key may have succeeded when its connection is reset", async () => {
    const service = await startFaultServer(resetsConnection);
    const { client } = testClient(service.baseUrl);
    const error = await failure(client.checkoutSessions.create({ amount: 25000 }));
    expect(error).toMatchObject({ code: "connection_failed", mayHaveSucceeded: true });
  });

  test("a session may have been created when the response names no session", async () => {
    const service = await startFaultServer(responds(201, { checkout_url: SESSION.checkout_url }));
    const { client } = testClient(service.baseUrl);
    const error = await failure(client.checkoutSessions.create({ amount: 25000 }));
    expect(error).toMatchObject({ code: "response_unusable", mayHaveSucceeded: true });
  });

  test("a webhook endpoint may have been deleted when the connection is reset", async () => {
    const service = await startFaultServer(resetsConnection);
    const { client } = testClient(service.baseUrl);
    expect(await failure(client.webhooks.delete(SESSION.id))).toMatchObject({ mayHaveSucceeded: true });
  });
});

describe("a write that did not succeed", () => {
  test.each([
    [400, "validation_failed"],
    [401, "unauthorized"],
    [403, "api_access_suspended"],
    [404, "not_found"],
    [409, "conflict"],
    [409, "idempotency_key_reused"],
  ])("a refund did not succeed when its only attempt is refused with %i %s", async (status, code) => {
    expect(await failureOfRefund(respondsWithError(status, code))).toMatchObject({ code, mayHaveSucceeded: false });
  });

  test("a refund did not succeed when it is refused with an error in the old form", async () => {
    expect(await failureOfRefund(responds(400, { message: ["amount must be positive"] }))).toMatchObject({
      mayHaveSucceeded: false,
    });
  });

  test("a refund did not succeed when the rate limit refused every attempt", async () => {
    const error = await failureOfRefund(respondsWithError(429, "rate_limit_exceeded"));
    expect(error).toMatchObject({ code: "rate_limit_exceeded", mayHaveSucceeded: false });
  });

  test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"])(
    "a refund did not succeed when no connection was made because of %s",
    async (code) => {
      const { client } = testClient("http://127.0.0.1:1", {
        transport: () => Promise.reject(Object.assign(new Error("no connection"), { code })),
      });
      expect(await failure(client.refunds.create(REFUND, keyOption))).toMatchObject({
        code: "connection_failed",
        mayHaveSucceeded: false,
      });
    },
  );

  test("a refund did not succeed when nothing listens at the port", async () => {
    const { client } = testClient("http://127.0.0.1:1");
    expect(await failure(client.refunds.create(REFUND, keyOption))).toMatchObject({ mayHaveSucceeded: false });
  });

  test.each([{ deadlineMs: 0 }, { signal: AbortSignal.abort() }])(
    "a refund did not succeed when it was never sent because of %j",
    async (options) => {
      const service = await startFaultServer(resetsConnection);
      const { client } = testClient(service.baseUrl);
      expect(await failure(client.refunds.create(REFUND, { ...keyOption, ...options }))).toMatchObject({
        mayHaveSucceeded: false,
      });
      expect(service.received).toEqual([]);
    },
  );
});

describe("a refund that is confirmed in two steps", () => {
  test("a refund may have succeeded when an attempt before the preview got no response and the confirmation is refused", async () => {
    const error = await failureOfRefund(resetsConnection, responds(200, PREVIEW), respondsWithError(404, "not_found"));
    expect(error).toMatchObject({ code: "not_found", mayHaveSucceeded: true });
  });

  test("a refund may have succeeded when the confirmation got no response and its repeat is refused", async () => {
    const error = await failureOfRefund(responds(200, PREVIEW), resetsConnection, respondsWithError(409, "conflict"));
    expect(error).toMatchObject({ code: "conflict", mayHaveSucceeded: true });
  });

  test("a refund did not succeed when the first attempt got the preview and the confirmation is refused", async () => {
    const error = await failureOfRefund(responds(200, PREVIEW), respondsWithError(409, "conflict"));
    expect(error).toMatchObject({ code: "conflict", mayHaveSucceeded: false });
  });
});

test.each([
  resetsConnection,
  respondsWithError(503, "service_unavailable"),
  responds(200, {}),
  responds(200, "<h1>Welcome</h1>"),
])("a read never reports that a write may have succeeded (response %#)", async (fault) => {
  const service = await startFaultServer(fault);
  const { client } = testClient(service.baseUrl);
  expect(await failure(client.refunds.read(SESSION.id))).toMatchObject({ mayHaveSucceeded: false });
  expect(await failure(client.refunds.list())).toMatchObject({ mayHaveSucceeded: false });
});

async function failureOfRefund(...script: Behavior[]): Promise<ServiceError> {
  const service = await startFaultServer(...script);
  const { client } = testClient(service.baseUrl);
  return failure(client.refunds.create(REFUND, keyOption));
}

async function failure(calling: PromiseLike<unknown>): Promise<ServiceError> {
  try {
    await calling;
  } catch (thrown) {
    if (isServiceError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error("The call did not fail.");
}
