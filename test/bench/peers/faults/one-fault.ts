// node one-fault.ts <contender> <fault>: one write of a contender to a service with that fault.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { makeCertificate } from "../client-call/certificate.ts";
import { contenders, tlsOnly } from "../client-call/contenders.ts";
import { ANSWERED_ID, answerTo } from "../client-call/local-server.ts";
import { printFigures } from "../harness/contender.ts";
import { faults } from "./faults.ts";

const LONGEST_MS = 10_000;

const [contender = "", faultName] = process.argv.slice(2);
const fault = faults.find(({ name }) => name === faultName);
if (fault === undefined) throw new Error(`There is no fault ${faultName}.`);

let attempts = 0;
/** How often the service did the write, at most once for each idempotency key. */
let writesDone = 0;
const keys = new Set<string>();
const isSecure = tlsOnly.includes(contender);
const certificate = isSecure ? makeCertificate() : null;
if (certificate !== null) {
  process.removeAllListeners("warning"); // Node warns about the next line. It is safe here: the server is on this machine.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
}
const server = certificate === null ? createServer(respond) : createHttps({ ...certificate }, respond);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseUrl = `${isSecure ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;

const write = contenders[contender]?.(baseUrl)();
if (write === undefined) throw new Error(`There is no contender ${contender}.`);
const ending = await Promise.race([
  write.then(
    (value) => (inspect(value, { depth: 5 }).includes(ANSWERED_ID) ? "answered" : "ended without the answer"),
    (error: unknown) => `failed: ${error instanceof Error ? error.name : "not an Error"}`,
  ),
  sleep(LONGEST_MS, `no end within ${LONGEST_MS / 1_000} s`),
]);
certificate?.remove();
printFigures({
  survived: ending === "answered" && writesDone === 1,
  how: `${ending} after ${attempts} attempts; done ${writesDone} times`,
});
// Exits once everything is printed; the contender may still hold connections open.
process.stdout.write("", () => process.exit());

function respond(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once("end", () => {
    attempts += 1;
    const goodAnswer = answerTo(request.url);
    const isBroken = fault !== undefined && attempts <= fault.attempts;
    if (isBroken) {
      if (fault.break(response, goodAnswer)) countWrite(request);
      return;
    }
    countWrite(request);
    response
      .writeHead(200, { "content-type": "application/json", "content-length": goodAnswer.length })
      .end(goodAnswer);
  });
}

/** Two requests under one idempotency key are one write. */
function countWrite({ headers }: IncomingMessage): void {
  const key = headers["idempotency-key"];
  if (typeof key === "string" && keys.has(key)) return;
  if (typeof key === "string") keys.add(key);
  writesDone += 1;
}
