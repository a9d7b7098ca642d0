import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type Clock, silentLog } from "@tillkit/core";
import { afterEach, describe, expect, it } from "vitest";
import { createBodyLimiter, createWebhookHandler } from "../src/index.ts";
import { runtimeLimits } from "../src/limits.ts";

const KB = 1024;
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe("the bodies of all requests together", () => {
  it("a genuine webhook is taken beside 600 senders that have sent nearly a whole body each and stall", async () => {
    const receiver = await openReceiver({ maxBytes: 4_096 * KB });
    const stalled = await Promise.all(Array.from({ length: 600 }, () => stall(receiver.port, 255 * KB)));
    expect(await deliver(receiver.port, "genuine")).toMatchObject({ status: 200 });
    expect(receiver.received).toEqual(["genuine"]);
    // 4 MB have room for 16 of these bodies, of which the genuine webhook took the place of one.
    await expect.poll(() => stalled.filter(({ answer }) => answer() === "").length).toBe(15);
  });

  it("a body that finds no room is refused at once, before it is sent, and told when to try again", async () => {
    const receiver = await openReceiver({ maxBytes: 512 * KB });
    await fillWith(receiver, 2);
    const refused = await stall(receiver.port, 0);
    await expect.poll(refused.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*too_many_bodies/);
    expect(refused.answer()).toMatch(/^Retry-After: 1\r$/m);
    await expect.poll(refused.isClosed).toBe(true);
  });

  it("a sender that is too slow loses its place to a body of the same size, and a sender that keeps its pace does not", async () => {
    const clock = movableClock();
    const receiver = await openReceiver({ maxBytes: 512 * KB }, clock);
    const [slow, steady] = await fillWith(receiver, 2);
    clock.advance(runtimeLimits.bodyPauseMs);
    steady?.socket.write(Buffer.alloc(100 * KB));
    await expect.poll(() => receiver.bytesReceived()).toBeGreaterThan(90 * KB);
    clock.advance(1);
    const next = await stall(receiver.port, 0);
    await expect.poll(() => slow?.answer()).toMatch(/^HTTP\/1\.1 503 [\s\S]*body_too_slow/);
    expect([steady?.answer(), next.answer()]).toEqual(["", ""]);
  });

  it("a sender of single bytes is too slow, however steadily it sends them", async () => {
    const clock = movableClock();
    const receiver = await openReceiver({ maxBytes: 256 * KB }, clock);
    const trickling = await stall(receiver.port, 0);
    for (let second = 1; second <= 3; second += 1) {
      trickling.socket.write("x");
      await expect.poll(() => receiver.bytesReceived()).toBe(second);
      clock.advance(runtimeLimits.bodyPauseMs / 2);
    }
    await stall(receiver.port, 0);
    await expect.poll(trickling.answer).toMatch(/^HTTP\/1\.1 503 /);
  });

  it("a body in chunks that outgrows the room is refused", async () => {
    const receiver = await openReceiver({ maxBytes: 64 * KB });
    const growing = await openConnection(receiver.port);
    growing.socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    growing.socket.write(`${(100 * KB).toString(16)}\r\n`);
    growing.socket.write(Buffer.alloc(100 * KB));
    await expect.poll(growing.answer).toMatch(/^HTTP\/1\.1 503 /);
  });

  it("no more bodies are read at once than the limit, whatever their size", async () => {
    const receiver = await openReceiver({ maxBodies: 3 });
    const bodies = await fillWith(receiver, 3);
    const fourth = await stall(receiver.port, 0);
    await expect.poll(fourth.answer).toMatch(/^HTTP\/1\.1 503 /);
    // A webhook is smaller than these bodies, so one of them makes room for it.
    expect(await deliver(receiver.port, "genuine")).toMatchObject({ status: 200 });
    expect(bodies.filter(({ answer }) => answer() !== "")).toHaveLength(1);
  });

  it("a webhook that has arrived keeps its room until it is stored, and gives it back then", async () => {
    const receiver = await openReceiver({ maxBytes: 8 });
    const release = receiver.holdStorage();
    const first = deliver(receiver.port, "stored");
    await expect.poll(() => receiver.received).toEqual(["stored"]);
    expect(await deliver(receiver.port, "refused")).toMatchObject({ status: 503, code: "too_many_bodies" });
    release();
    expect(await first).toMatchObject({ status: 200 });
    expect(await deliver(receiver.port, "accepted")).toMatchObject({ status: 200 });
  });

  it("all handlers of a process share one bound, whatever host each of them serves", async () => {
    const bodies = runtimeLimits.maxBufferedBytes / (256 * KB);
    const [first, second] = [await openReceiver(null), await openReceiver(null)];
    await fillWith(first, bodies / 2);
    await fillWith(second, bodies / 2);
    for (const { port } of [first, second]) {
      const refused = await stall(port, 0);
      await expect.poll(refused.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*too_many_bodies/);
      expect(await deliver(port, "genuine")).toMatchObject({ status: 200 });
      await stall(port, 0);
    }
  });

  it("a connection that breaks off gives its room back", async () => {
    const receiver = await openReceiver({ maxBytes: 256 * KB });
    const [broken] = await fillWith(receiver, 1);
    broken?.socket.destroy();
    // A body of the same size finds no room as long as the broken connection has it.
    await expect.poll(() => announce(receiver.port)).toBe("waits");
    expect(await deliver(receiver.port, "genuine")).toMatchObject({ status: 200 });
  });
});

const HEAD = `POST /hooks HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ${"0".repeat(64)}\r\n`;

/** A receiver with these limits; null: with those of the process. It accepts every body that arrives. */
async function openReceiver(options: { maxBodies?: number; maxBytes?: number } | null, clock: Clock = movableClock()) {
  const received: string[] = [];
  let started = 0;
  let bytesReceived = 0;
  let storage = Promise.resolve();
  const bodies = options && createBodyLimiter({ maxBodies: 10_000, maxBytes: 64 * KB * KB, ...options });
  const handleWebhook = createWebhookHandler({
    async receive({ bytes }) {
      received.push(Buffer.from(bytes).toString());
      await storage;
      return { status: 200, code: "received", message: "" };
    },
    onAccepted: () => undefined,
    bodyParserAdvice: "",
    clock,
    log: silentLog,
    ...(bodies && { bodies }),
  });
  const server: Server = createServer((incoming, response) => {
    started += 1;
    void handleWebhook(incoming, response, "endpoint");
    incoming.on("data", (chunk: Buffer) => {
      bytesReceived += chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1_024, resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    port: (server.address() as AddressInfo).port,
    received,
    started: () => started,
    bytesReceived: () => bytesReceived,
    /** From now on webhooks are not stored until the returned function is called. */
    holdStorage() {
      let release: () => void = () => undefined;
      storage = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

type Connection = { readonly socket: Socket; answer(): string; isClosed(): boolean };

async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  closers.push(() => socket.destroy());
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
  });
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  return { socket, answer: () => answer, isClosed: () => socket.closed };
}

/** Announces a body of 256 KB and sends only a part of it. */
async function stall(port: number, sentBytes: number): Promise<Connection> {
  const connection = await openConnection(port);
  connection.socket.write(`${HEAD}Content-Length: ${256 * KB}\r\n\r\n`);
  if (sentBytes > 0) connection.socket.write(Buffer.alloc(sentBytes));
  return connection;
}

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Whether a new body of 256 KB finds room. */
async function announce(port: number): Promise<"waits" | "refused"> {
  const connection = await stall(port, 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  return connection.answer() === "" ? "waits" : "refused";
}

/** Opens stalled requests and waits until the receiver has made room for them. */
async function fillWith({ port, started }: Receiver, count: number): Promise<readonly Connection[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => stall(port, 0)));
  await expect.poll(started).toBe(count);
  return connections;
}

async function deliver(port: number, body: string): Promise<{ status: number; code: string }> {
  return await new Promise((resolve, reject) => {
    const headers = { "X-Service-Signature": "0".repeat(64), "Content-Length": body.length };
    const sent = request({ port, host: "127.0.0.1", method: "POST", headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).code }));
    });
    sent.on("error", reject).end(body);
  });
}

/** A clock that a test moves. Its timers never end, so only the pace decides. */
function movableClock(): Clock & { advance(ms: number): void } {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: () => new Promise(() => undefined),
    advance(ms) {
      now += ms;
    },
  };
}
