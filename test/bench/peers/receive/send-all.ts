import { connect } from "node:net";

export type Sent = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

/**
 * Sends requests over `connections`, each of which sends the next one as soon as it has its answer. It uses plain sockets and counts
 * bytes, so that the server gets the rest of the machine: all answers of one server have the same length.
 *
 * @param requests head and body of each, as they are sent
 * @throws Error when an answer is not 200
 */
export async function sendAll(port: number, requests: readonly Buffer[], connections: number): Promise<Sent> {
  const latencies = new Float64Array(requests.length);
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendOver(port, () => {
        const at = next;
        next += 1;
        const request = requests[at];
        if (request === undefined) return null;
        const onAnswer = (ms: number) => {
          latencies[at] = ms;
        };
        return { request, onAnswer };
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  latencies.sort();
  const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { perSecond: requests.length / seconds, p50Ms: share(0.5), p99Ms: share(0.99) };
}

type Turn = { readonly request: Buffer; onAnswer(ms: number): void };

function sendOver(port: number, nextTurn: () => Turn | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let turn: Turn | null = null;
    let sentAt = 0;
    let answerBytes = 0;
    let received = 0;
    const send = () => {
      turn = nextTurn();
      if (turn === null) return void socket.end();
      sentAt = performance.now();
      socket.write(turn.request);
    };
    socket.once("connect", send);
    socket.once("error", reject);
    socket.once("close", resolve);
    socket.on("data", (chunk: Buffer) => {
      const status = received === 0 ? statusOf(chunk) : "200";
      if (status !== "200") return void socket.destroy(new Error(`The server answered ${status}.`));
      if (answerBytes === 0) answerBytes = lengthOf(chunk);
      received += chunk.length;
      if (received < answerBytes) return;
      received = 0;
      turn?.onAnswer(performance.now() - sentAt);
      send();
    });
  });
}

/** The status of an answer, from its first piece. */
function statusOf(answer: Buffer): string {
  return answer.toString("latin1", "HTTP/1.1 ".length, "HTTP/1.1 200".length);
}

/** The length of a whole answer, from its first piece. */
function lengthOf(answer: Buffer): number {
  const text = answer.toString("latin1");
  const body = /^content-length: (\d+)/im.exec(text)?.[1];
  return body === undefined ? text.length : text.indexOf("\r\n\r\n") + "\r\n\r\n".length + Number(body);
}
