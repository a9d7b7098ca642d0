import { connect, type Socket } from "node:net";

export type Load = {
  /** Connections are shared between these addresses in turn. */
  readonly urls: readonly string[];
  /** When to send each request, in milliseconds after the start, ascending. */
  readonly times: readonly number[];
  /** Returns the complete request, head and body, as it is sent. */
  readonly request: (index: number) => Buffer;
  readonly connections: number;
};

export type LoadResult = {
  /** By request: the time from its planned start to its complete answer, including the wait for a free connection. */
  readonly latencies: Float64Array;
  /** By request; 0 without an answer. */
  readonly statuses: Uint16Array;
};

const RESPONSE_TIMEOUT_MS = 60_000;

/** Sends requests at fixed times over persistent connections, whatever the answers, with little CPU time: the server needs the rest. */
export async function sendLoad({ urls, times, request, connections }: Load): Promise<LoadResult> {
  const answers = { latencies: new Float64Array(times.length), statuses: new Uint16Array(times.length) };
  const free: Socket[] = [];
  const queued: number[] = [];
  const inFlight = new Map<Socket, number>();
  const start = performance.now();
  let sent = 0;
  let done = 0;
  let opened = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  function send(socket: Socket, index: number): void {
    inFlight.set(socket, index);
    socket.write(request(index));
  }
  function recordAnswer(socket: Socket, status: number): void {
    const index = inFlight.get(socket);
    if (index === undefined) return;
    inFlight.delete(socket);
    answers.latencies[index] = performance.now() - start - (times[index] ?? 0);
    answers.statuses[index] = status;
    done += 1;
    if (done === times.length) finish();
  }
  function open(): void {
    const url = urls[opened++ % urls.length] ?? "";
    const socket = connectTo(url, (status) => {
      recordAnswer(socket, status);
      const next = queued.shift();
      if (next === undefined) free.push(socket);
      else send(socket, next);
    });
    socket.once("close", () => {
      if (!free.includes(socket)) recordAnswer(socket, 0);
      else free.splice(free.indexOf(socket), 1);
      if (done < times.length) open();
    });
    free.push(socket);
  }
  function sendDue(): void {
    const now = performance.now() - start;
    for (let at = times[sent]; at !== undefined && at <= now; at = times[sent]) {
      const socket = free.pop();
      if (socket === undefined) queued.push(sent);
      else send(socket, sent);
      sent += 1;
    }
    if (sent < times.length) setTimeout(sendDue, 1);
  }

  for (let count = 0; count < connections; count += 1) open();
  sendDue();
  const timeout = setTimeout(finish, (times.at(-1) ?? 0) + RESPONSE_TIMEOUT_MS);
  await finished;
  clearTimeout(timeout);
  // After a timeout, the closing of a socket must not open another.
  done = times.length;
  for (const socket of [...free, ...inFlight.keys()]) socket.destroy();
  return answers;
}

/** Calls `onAnswer` with the status of each complete answer. */
function connectTo(url: string, onAnswer: (status: number) => void): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = "";
  socket.setEncoding("latin1");
  socket.on("error", () => {});
  socket.on("data", (chunk: string) => {
    received += chunk;
    const status = statusIfComplete(received);
    if (status === null) return;
    received = "";
    onAnswer(status);
  });
  return socket;
}

/**
 * Returns the three digits after `HTTP/1.1 `, or null while the answer is incomplete. Supports Content-Length and chunks, which is
 * all that a Node server sends.
 */
function statusIfComplete(received: string): number | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const length = /^content-length: (\d+)/im.exec(received)?.[1];
  const lastChunk = "0\r\n\r\n";
  const isComplete =
    length === undefined
      ? received.endsWith(lastChunk)
      : received.length >= headEnd + "\r\n\r\n".length + Number(length);
  const statusAt = "HTTP/1.1 ".length;
  return isComplete ? Number(received.slice(statusAt, statusAt + 3)) : null;
}

/** The times of a Poisson process with `perSecond` events on average. */
export function randomTimes(perSecond: number, seconds: number, fraction: () => number): number[] {
  const times: number[] = [];
  const pause = () => (-Math.log(1 - fraction()) * 1_000) / perSecond;
  for (let at = pause(); at < seconds * 1_000; at += pause()) times.push(at);
  return times;
}
