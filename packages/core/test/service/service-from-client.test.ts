import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { expect, it, onTestFinished } from "vitest";
import { serviceFromClient } from "../../src/hosts.ts";
import { confirmPayment, createEngine, type LogFields, systemClock } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startPayment } from "../fixture/steps.ts";

const KEY = `svc_sk_test_${"a".repeat(32)}`;

/** A service that gives every call this answer, and the accounts that the calls named. */
async function startService(status: number, body: object) {
  const accounts: (string | null)[] = [];
  const server = createServer((request, response) => {
    accounts.push(String(request.headers["service-account"] ?? "") || null);
    request.resume().on("end", () => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { accounts, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("a transaction id that the service would never assign is unknown without a call to the service", async () => {
  const client = createServiceClient({ apiKey: KEY, baseUrl: "http://127.0.0.1:9" });
  const service = serviceFromClient(client, systemClock);
  const query = { id: "b<e6d1c0-0c0f", account: null, deadlineMs: 1_000 };
  expect(await service.readTransaction(query)).toBeNull();
});

it("a session id that the service would never assign shows nothing, and its event is not processed again for days", async () => {
  const client = createServiceClient({ apiKey: KEY, baseUrl: "http://127.0.0.1:9" });
  const service = serviceFromClient(client, systemClock);
  const session = { id: "cs_<>", url: "", expiresAt: 0 };
  expect(await service.readSession({ id: "payment", session }, 1_000)).toEqual({});
});

it("a refund is sent for the account that the payment was opened with, whatever account is configured today", async () => {
  const { accounts, baseUrl } = await startService(201, { refund_id: "refund-1", status: "completed" });
  for (const configured of [undefined, "acct_aaaaaaaaaaaaaaaa"]) {
    const client = createServiceClient({ apiKey: KEY, baseUrl, account: configured });
    const service = serviceFromClient(client, systemClock);
    for (const account of [null, "acct_bbbbbbbbbbbbbbbb"]) {
      const request = JSON.stringify({ transaction_id: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60", amount: 100 });
      await service.refund({
        paymentId: "payment",
        request,
        key: `key ${account}`,
        account,
        deadlineMs: 5_000,
        sendBy: Date.now() + 60_000,
      });
    }
  }
  expect(accounts).toEqual([null, "acct_bbbbbbbbbbbbbbbb", null, "acct_bbbbbbbbbbbbbbbb"]);
});

it("a refund whose key the service knows with another body is told apart from one that it refuses", async () => {
  const refuse = async (status: number, code: string) => {
    const { baseUrl } = await startService(status, { error: { code, message: "refused" } });
    const request = JSON.stringify({ transaction_id: "b7e6d1c0-0c0f-4e55-a1f2-1d2c3b4a5f60", amount: 100 });
    const call = { paymentId: "payment", request, key: "click-1", account: null };
    const service = serviceFromClient(createServiceClient({ apiKey: KEY, baseUrl }), systemClock);
    return await service.refund({ ...call, deadlineMs: 5_000, sendBy: Date.now() + 60_000 });
  };
  await expect(refuse(409, "idempotency_key_reused")).rejects.toMatchObject({ code: "refund_key_reused" });
  await expect(refuse(409, "conflict")).rejects.toMatchObject({ code: "refund_refused" });
});

it("a key that the service refuses is named in the log once, as an error, with what to do", async () => {
  const error = { code: "unauthorized", message: "Invalid API key" };
  const { baseUrl } = await startService(401, { error, request_id: "request-1" });
  const fixture = createEngineFixture();
  const paymentId = await startPayment(fixture);
  const errors: { message: string; fields?: LogFields | undefined }[] = [];
  const log = {
    info() {},
    warn() {},
    error: (message: string, fields?: LogFields) => void errors.push({ message, fields }),
  };
  const refusing = serviceFromClient(createServiceClient({ apiKey: KEY, baseUrl }), fixture.clock);
  const { sessionCache, watchSchedule, circuitBreakers, storeConcurrency, ...options } = fixture.engine;
  const engine = createEngine({ ...options, log, tenants: { ...options.tenants, service: async () => refusing } });
  await confirmPayment(engine, paymentId, { actor: "timer" });
  await confirmPayment(engine, paymentId, { actor: "timer" });
  const [first, ...more] = errors.filter(({ message }) => message === "credential.refused");
  expect(first).toMatchObject({ fields: { credentialId: "key", code: "unauthorized" } });
  expect(String(first?.fields?.reason)).toContain("Set a valid key under the same credential id");
  expect(more).toEqual([]);
  expect(JSON.stringify(errors)).not.toContain(KEY);
});
