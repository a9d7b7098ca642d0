import type { ServerResponse } from "node:http";

/** A fault of the service in the first attempts of a write. */
export type Fault = {
  readonly name: string;
  /** How many attempts fail. */
  readonly attempts: number;
  /** Answers one attempt. @returns whether the service did the write nevertheless */
  break(response: ServerResponse, goodAnswer: Buffer): boolean;
};

const json = { "content-type": "application/json" };

/** What networks and services do on an ordinary bad day. */
export const faults: readonly Fault[] = [
  fault("503 twice", 2, (response) => refuse(response, 503, "service_unavailable")),
  fault("429 with Retry-After: 1", 1, (response) =>
    refuse(response, 429, "rate_limit_exceeded", { "retry-after": "1" }),
  ),
  fault("409, an earlier attempt is still under way", 1, (response) =>
    refuse(response, 409, "idempotency_in_progress"),
  ),
  fault("the connection closes before the answer", 1, (response) => {
    response.socket?.destroy();
    return false;
  }),
  fault("the write is done, and the connection closes before the answer", 1, (response) => {
    response.socket?.destroy();
    return true;
  }),
  fault("the write is done, and the answer is cut off", 1, (response, goodAnswer) => {
    response.writeHead(200, { ...json, "content-length": goodAnswer.length });
    response.write(goodAnswer.subarray(0, goodAnswer.length / 2), () => response.socket?.destroy());
    return true;
  }),
  fault("a gateway closes the answer in the middle of its JSON, as if it were complete", 1, (response, goodAnswer) => {
    response.writeHead(200, json).end(goodAnswer.subarray(0, goodAnswer.length / 2));
    return true;
  }),
  fault("502 with a page of HTML", 1, (response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<html><h1>502 Bad Gateway</h1></html>");
    return false;
  }),
];

function fault(name: string, attempts: number, breakOnce: Fault["break"]): Fault {
  return { name, attempts, break: breakOnce };
}

function refuse(response: ServerResponse, status: number, code: string, headers = {}): false {
  response.writeHead(status, { ...json, ...headers }).end(JSON.stringify({ error: { code, message: code } }));
  return false;
}
