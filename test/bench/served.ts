import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandbox } from "@tillkit/sandbox";

/** The messages of a measured server: first its address, then its usage at each request. */
export type ServerMessage = { ready: Ready } | { usage: Usage };
/** `readyMs`: the time from the call to the listening server, after all code was loaded. */
export type Ready = { baseUrl: string; key: string; readyMs: number };
/** CPU time of all threads; memory as the resident set size. */
export type Usage = { cpuMs: number; rssBytes: number };

// A separate process, so that its CPU time is the server's alone: node served.ts <empty | :memory: | directory>
const data = process.argv[2] ?? ":memory:";
const startedAt = performance.now();
const address = data === "empty" ? await serveNothing() : await serveSandbox();
send({ ready: { ...address, readyMs: performance.now() - startedAt } });
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  send({ usage: { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() } });
});
process.on("disconnect", () => process.exit());

async function serveSandbox(): Promise<{ baseUrl: string; key: string }> {
  const { baseUrl, keys } = await createSandbox({ data, settings: { ratePolicy: "off" } });
  return { baseUrl, key: keys.test.secret };
}

/** The reference server: parses the body and answers with JSON of a session's size. */
async function serveNothing(): Promise<{ baseUrl: string; key: string }> {
  const answer = JSON.stringify({ text: "x".repeat(1_400) });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(201, { "Content-Type": "application/json", "Content-Length": answer.length }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "none" };
}

function send(message: ServerMessage): void {
  process.send?.(message);
}
