import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyWebhook } from "@tillkit/client/webhooks";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { buildProgram } from "./build-program.ts";
import { readLine } from "./json-line.ts";
import { interrupt, linesOf, runProgram, startProgram } from "./program.ts";

type ReceivedWebhook = { readonly bytes: Buffer; readonly signature: string };

let sandbox: Sandbox;
let folder: string;
let env: Record<string, string>;
const REASON = "The signature does not match the webhook secret of this server: set the secret of the endpoint.";
let shop: Server;
let target: string;
let received: ReceivedWebhook[];
/** The statuses that the shop answers the next webhooks with; then it answers 200. */
let nextStatuses: number[];

beforeAll(async () => {
  await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "tillkit-listen-"));
  shop = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({ bytes: Buffer.concat(parts), signature: String(request.headers["x-service-signature"]) });
    const status = nextStatuses.shift() ?? 200;
    response
      .writeHead(status)
      .end(status === 401 ? JSON.stringify({ code: "signature_invalid", message: REASON }) : "");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  target = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhooks`;
});

beforeEach(async () => {
  received = [];
  nextStatuses = [];
  sandbox = await createSandbox({ settings: { delivery: { baseDelayMs: 200 } } });
  env = { SERVICE_BASE_URL: sandbox.baseUrl, SERVICE_SECRET_KEY: sandbox.keys.test.secret, XDG_CONFIG_HOME: folder };
});

afterEach(() => sandbox.close());

afterAll(async () => {
  shop.close();
  await rm(folder, { recursive: true, force: true });
});

/** The digests of all bodies that the sandbox has sent, sorted. */
async function sentDigests(): Promise<string[]> {
  const deliveries = await sandbox.control.listDeliveries();
  return deliveries.flatMap(({ attempts }) => attempts.map(({ payload }) => digest(payload))).sort();
}

/** Starts `tillkit listen`; a test that fails leaves no listener to the next one. */
function listen(...args: readonly string[]): ChildProcess {
  const listening = startProgram(["listen", "--forward-to", target, ...args, "--json"], { env });
  onTestFinished(() => void listening.kill("SIGKILL"));
  return listening;
}

const nextRow = async (lines: AsyncIterator<string>) => readLine("listen", (await lines.next()).value);

describe("tillkit listen", () => {
  it("a server on this machine gets every webhook byte for byte under the service's signature", async () => {
    const listening = listen();
    const lines = linesOf(listening);
    const { ready, secret } = await nextRow(lines);
    expect(ready).toBe(true);
    expect((await runProgram(["trigger", "PAYMENT_SUCCEEDED"], { env })).out).toMatch(/^Triggered PAYMENT_SUCCEEDED/);
    const rows = [await nextRow(lines), await nextRow(lines)];
    // Both webhooks are on their way at once, so either can be answered first.
    expect(rows.map(({ event, status }) => [event, status]).sort()).toEqual([
      ["PAYMENT_CREATED", 200],
      ["PAYMENT_SUCCEEDED", 200],
    ]);
    // The sandbox records an attempt after it got the answer.
    await expect.poll(async () => (await sentDigests()).length).toBe(2);
    expect(received.map(({ bytes }) => digest(bytes)).sort()).toEqual(await sentDigests());
    for (const { bytes, signature } of received)
      expect(verifyWebhook({ bytes, signature, secrets: [String(secret)] })).toEqual({ secretIndex: 0 });
    expect(await interrupt(listening)).toBe(0);
    expect((await runProgram(["webhooks", "list"], { env })).out).toBe("There are no webhook endpoints.\n");
  });

  it("a new listener removes the endpoint of a listener that was killed, and leaves that of a running one", async () => {
    const start = async () => {
      const listening = listen();
      await nextRow(linesOf(listening));
      return listening;
    };
    const running = await start();
    const killed = await start();
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const newest = await start();
    const { out } = await runProgram(["webhooks", "list", "--json"], { env });
    const endpoints = out.trim().split("\n");
    expect(endpoints).toHaveLength(2);
    for (const listening of [running, newest]) expect(await interrupt(listening)).toBe(0);
  });

  it("a webhook that the server fails to take is sent again", async () => {
    nextStatuses = [500];
    const listening = listen("--event", "SUBSCRIPTION_CREATED", "--count", "2");
    const lines = linesOf(listening);
    await nextRow(lines);
    await runProgram(["trigger", "SUBSCRIPTION_CREATED"], { env });
    const first = await nextRow(lines);
    const second = await nextRow(lines);
    expect([first.status, second.status, second.id]).toEqual([500, 200, first.id]);
  });

  it("the reason of a server that refuses a webhook is passed on", async () => {
    nextStatuses = [401];
    const listening = listen("--event", "SUBSCRIPTION_CREATED", "--count", "1");
    const lines = linesOf(listening);
    await nextRow(lines);
    await runProgram(["trigger", "SUBSCRIPTION_CREATED"], { env });
    expect(await nextRow(lines)).toMatchObject({ status: 401, problem: REASON });
  });

  it("the webhooks of a registered endpoint are read from its delivery logs with valid signatures", async () => {
    const elsewhere = "http://127.0.0.1:9/closed";
    const created = JSON.parse((await runProgram(["webhooks", "create", "--url", elsewhere, "--json"], { env })).out);
    const listening = listen("--webhook", created.id, "--count", "2");
    const lines = linesOf(listening);
    await nextRow(lines);
    await runProgram(["trigger", "PAYMENT_SUCCEEDED"], { env });
    const rows = [await nextRow(lines), await nextRow(lines)];
    expect(rows.map(({ event }) => event).sort()).toEqual(["PAYMENT_CREATED", "PAYMENT_SUCCEEDED"]);
    for (const { bytes, signature } of received)
      expect(verifyWebhook({ bytes, signature, secrets: [created.secret] })).toEqual({ secretIndex: 0 });
    await runProgram(["webhooks", "delete", created.id, "--yes"], { env });
  });

  it("a service on another machine can only be listened to through the logs of an endpoint", async () => {
    const { code, error } = await runProgram(["listen", "--forward-to", target], {
      env: { ...env, SERVICE_BASE_URL: "https://api.service.example" },
    });
    expect(code).toBe(2);
    expect(error).toContain("add --webhook <endpoint>");
  });
});

describe("tillkit verify", () => {
  it("a saved webhook is valid with its secret, and refused after one byte changed", async () => {
    const listening = listen("--count", "1");
    const lines = linesOf(listening);
    const { secret } = await nextRow(lines);
    await runProgram(["trigger", "SUBSCRIPTION_CREATED"], { env });
    await nextRow(lines);
    const [webhook] = received;
    const body = join(folder, "body.json");
    const signature = join(folder, "signature.txt");
    await writeFile(body, webhook?.bytes ?? "");
    await writeFile(signature, `${webhook?.signature}\n`);
    const args = ["verify", "--body", body, "--signature", signature];
    const valid = await runProgram(args, { env: { SERVICE_WEBHOOK_SECRET: String(secret) } });
    expect([valid.code, valid.out]).toEqual([
      0,
      expect.stringMatching(/^The signature is valid: SUBSCRIPTION_CREATED/),
    ]);
    await writeFile(body, ` ${webhook?.bytes}`);
    const changed = await runProgram(args, { env: { SERVICE_WEBHOOK_SECRET: String(secret) } });
    expect([changed.code, changed.out]).toEqual([1, ""]);
  });
});

function digest(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
