// Measures the webhook handler under thousands of connections that send nearly a whole body each and then stall: the memory of the
// process, and how long a genuine webhook takes meanwhile.
//   npm run bench -- bodies [CONNECTIONS]
// With TILLKIT_UNBOUNDED=1 the bodies have no common bound, as a comparison.
import { fork } from "node:child_process";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { signWebhook, verifyWebhook } from "@tillkit/client/webhooks";
import { silentLog, systemClock } from "@tillkit/core";
import { createBodyLimiter, createWebhookHandler } from "../../src/index.ts";

const SECRET = "whsec_of_a_measurement_only";
const STALLED_BYTES = 255 * 1024;
const UNBOUNDED = createBodyLimiter({ maxBodies: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY });
const [role = "3000", port = "", count = ""] = process.argv.slice(2);

// Server, attacker and measuring process are apart, so that none waits for the work of another.
if (role === "server") serve();
else if (role === "attacker") attack(Number(port), Number(count));
else await measure(Number(role));

function serve(): void {
  const handleWebhook = createWebhookHandler({
    async receive({ bytes, signature }) {
      const isGenuine = verifyWebhook({ bytes, signature, secrets: [SECRET] }) !== null;
      return { status: isGenuine ? 200 : 401, code: isGenuine ? "received" : "signature_invalid", message: "" };
    },
    onAccepted: () => undefined,
    bodyParserAdvice: "",
    clock: systemClock,
    log: silentLog,
    ...(process.env.TILLKIT_UNBOUNDED === undefined ? {} : { bodies: UNBOUNDED }),
  });
  const server = createServer((incoming, response) => void handleWebhook(incoming, response, "endpoint"));
  let largestRss = 0;
  setInterval(() => {
    largestRss = Math.max(largestRss, process.memoryUsage().rss);
    const { user, system } = process.cpuUsage();
    process.send?.({ largestRss, cpuMs: (user + system) / 1_000 });
  }, 50);
  process.on("disconnect", () => process.exit());
  process.on("error", () => process.exit());
  server.listen(0, "127.0.0.1", 8_192, () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

async function measure(connections: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ["server"], { execArgv: process.execArgv });
  let largestRss = 0;
  let cpuMs = 0;
  const port = await new Promise<number>((resolve) => {
    child.on("message", (message: { port?: number; largestRss?: number; cpuMs?: number }) => {
      if (message.port !== undefined) resolve(message.port);
      largestRss = message.largestRss ?? largestRss;
      cpuMs = message.cpuMs ?? cpuMs;
    });
  });
  await deliver(port);
  await sleep(200);
  const rssBefore = largestRss;
  const cpuBefore = cpuMs;
  const attacker = fork(fileURLToPath(import.meta.url), ["attacker", String(port), String(connections)], {
    execArgv: process.execArgv,
  });
  await new Promise((resolve) => attacker.once("message", resolve));
  const delays: number[] = [];
  const statuses = new Map<number, number>();
  for (let delivery = 0; delivery < 40; delivery += 1) {
    const startedAt = performance.now();
    const status = await deliver(port);
    delays.push(performance.now() - startedAt);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(100);
  }
  const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  const [longest = 0] = delays.toSorted((left, right) => right - left);
  process.stdout.write(
    `${connections} connections: RSS ${mb(rssBefore)} before, ${mb(largestRss)} at most; genuine webhooks: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}, the longest took ${Math.round(longest)} ms; processor time ${Math.round(cpuMs - cpuBefore)} ms\n`,
  );
  attacker.disconnect();
  child.disconnect();
}

function attack(port: number, connections: number): void {
  process.send?.("started");
  for (let index = 0; index < connections; index += 1) stall(port);
  process.on("disconnect", () => process.exit());
}

function stall(port: number): void {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).resume();
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ${"0".repeat(64)}\r\nContent-Length: ${256 * 1024}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(STALLED_BYTES));
}

function deliver(port: number): Promise<number> {
  const body = JSON.stringify({ id: "evt", event: "PAYMENT_SUCCEEDED", data: { note: "x".repeat(1_500) } });
  const signature = signWebhook(Buffer.from(body), SECRET);
  const headers = { "x-service-signature": signature, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", method: "POST", headers, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end(body);
  });
}
