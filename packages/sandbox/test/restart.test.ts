import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, type Program } from "../../../test/programs/bundle-program.ts";
import { createSandbox, type Sandbox } from "../src/index.ts";
import {
  api,
  closeAfterTest,
  control,
  eventually,
  newEndpoint,
  newSession,
  openReceiver,
  openSandbox,
  order,
} from "./open-sandbox.ts";

let program: Program;
beforeAll(async () => {
  program = await bundleProgram(new URL("sandbox-program.ts", import.meta.url));
});
afterAll(() => program.remove());

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  closeAfterTest(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

type RunningSandbox = Sandbox & { pid: number; process: ChildProcess };

/** Starts the sandbox as a process of its own, and parses the first line that it prints. */
async function startProgram(data: string): Promise<RunningSandbox> {
  const child = spawn(process.execPath, [program.file, data], { stdio: ["ignore", "pipe", "inherit"] });
  closeAfterTest(async () => child.kill("SIGKILL"));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { ...JSON.parse(line), process: child };
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  const [code] = await once(child, "exit");
  return code;
}

describe("a sandbox with a data directory", () => {
  it("the first line of the program has addresses and keys", async () => {
    const sandbox = await startProgram(await emptyDirectory());
    const { baseUrl } = sandbox;
    expect(sandbox).toMatchObject({
      checkoutBaseUrl: `${baseUrl}/pay`,
      consoleUrl: `${baseUrl}/sandbox/console`,
      controlUrl: `${baseUrl}/sandbox`,
      pid: sandbox.process.pid,
      keys: {
        test: { secret: expect.stringMatching(/^svc_sk_test_/) },
        live: { publishable: expect.stringMatching(/^svc_pk_live_/) },
      },
    });
    expect(await endProcess(sandbox.process, "SIGTERM")).toBe(0);
  });

  it("waiting deliveries are sent after kill -9", async () => {
    const data = await emptyDirectory();
    const receiver = await openReceiver();
    receiver.respondWith(500);
    const first = await startProgram(data);
    const { secret } = await newEndpoint(first, receiver.url, { authorized_events: ["PAYMENT_SUCCEEDED"] });
    expect(secret).toMatch(/^whsec_/);
    const session = await newSession(first);
    await control(first, `POST /checkout-sessions/${session.id}/pay`, { method: "wave", outcome: "completed" });
    await receiver.waitFor(1);
    await endProcess(first.process, "SIGKILL");

    receiver.respondWith(200);
    const second = await startProgram(data);
    expect(second.keys).toEqual(first.keys);
    await control(second, "POST /clock", { advanceMs: 5000 });
    const received = await receiver.waitFor(2);
    expect(JSON.parse(received[1]?.body ?? "").data.checkout_session_id).toBe(session.id);
    const read = await api(second, `GET /checkout-sessions/${session.id}`);
    expect(read.json.status).toBe("completed");
    expect(read.json.checkout_url.startsWith(second.checkoutBaseUrl)).toBe(true);
  });

  it("stored responses are replayed after kill -9", async () => {
    const data = await emptyDirectory();
    const headers = { "Idempotency-Key": "order:1042" };
    const first = await startProgram(data);
    const created = await api(first, "POST /v1/checkout-sessions", { body: order, headers });
    await endProcess(first.process, "SIGKILL");
    const second = await startProgram(data);
    const again = await api(second, "POST /v1/checkout-sessions", { body: order, headers });
    expect([again.json.id, again.headers.get("idempotency-cache-hit")]).toEqual([created.json.id, "true"]);
  });

  it("settings, clock and faults survive a restart", async () => {
    const data = await emptyDirectory();
    const first = await createSandbox({ data });
    await first.control.changeSettings({ pendingSeconds: 3 });
    await first.control.advanceClock(5000);
    await first.control.addFault({ method: "GET", path: "/transactions", status: 503 });
    await first.close();
    const second = await openSandbox({ data });
    expect(second.control.readSettings().pendingSeconds).toBe(3);
    expect(second.control.readClock().offsetMs).toBe(5000);
    expect((await api(second, "GET /transactions")).status).toBe(503);
  });

  it("work that became due while the sandbox was off runs at the start", async () => {
    const data = await emptyDirectory();
    let now = Date.parse("2026-03-01T10:00:00.000Z");
    const clock = { now: () => now };
    const first = await createSandbox({ data, clock });
    const session = await newSession(first);
    await first.close();
    now += 3_601_000;
    const second = await openSandbox({ data, clock });
    const { json } = await api(second, `GET /checkout-sessions/${session.id}`);
    expect([json.status, json.updated_at]).toEqual(["expired", session.expires_at]);
  });

  it("a second sandbox on the same directory fails with one sentence and does not disturb the first", async () => {
    const data = await emptyDirectory();
    const first = await startProgram(data);
    await expect(createSandbox({ data })).rejects.toThrow(
      `Another sandbox is running on ${data}: stop it, or start this one with another --data directory.`,
    );
    expect((await api(first, "GET /transactions")).status).toBe(200);
    await endProcess(first.process, "SIGKILL");
    const next = await openSandbox({ data });
    expect(next.keys).toEqual(first.keys);
  });

  it("a port in use is reported with one sentence", async () => {
    const { baseUrl } = await openSandbox();
    const port = Number(new URL(baseUrl).port);
    await expect(createSandbox({ port })).rejects.toThrow(`Port ${port} is taken`);
  });

  it("the same seed gives the same ids in a new directory, and no id twice in one directory", async () => {
    const firstKeyAndSessionId = async (data: string) => {
      const sandbox = await createSandbox({ data, seed: "42" });
      const session = await newSession(sandbox);
      await sandbox.close();
      return [sandbox.keys.test.secret, session.id];
    };
    expect(await firstKeyAndSessionId(":memory:")).toEqual(await firstKeyAndSessionId(":memory:"));
    const data = await emptyDirectory();
    const [first, second] = [await firstKeyAndSessionId(data), await firstKeyAndSessionId(data)];
    expect(second[0]).toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
  });

  it("the sandbox closes while a delivery waits for its response and repeats the delivery after the next start", async () => {
    const data = await emptyDirectory();
    const receiver = await openReceiver();
    const noResponse = 0;
    receiver.respondWith(noResponse);
    const first = await createSandbox({ data });
    await newEndpoint(first, receiver.url, { authorized_events: ["PAYMENT_CREATED"] });
    const session = await newSession(first);
    await first.control.paySession(session.id, { method: "wave", outcome: "pending" });
    await receiver.waitFor(1);
    await first.close();
    receiver.respondWith(200);
    const second = await openSandbox({ data });
    await receiver.waitFor(2);
    await eventually(async () => (await second.control.listDeliveries())[0]?.state === "delivered");
    expect((await second.control.listDeliveries())[0]?.attempts).toHaveLength(1);
  });
});
