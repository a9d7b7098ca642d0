import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Duplex } from "node:stream";
import { PATIENCE_MS } from "../../waiting/patience.ts";

/** Status 0 means that the connection ended without an answer. */
export type HttpResponse = { readonly status: number; readonly text: string };

/** A connection that exchanges one request at a time and reopens when it ends. `disconnects`: the sender ends the connection after the request. */
export type HttpConnection = { exchange(wire: Buffer, disconnects: boolean): Promise<HttpResponse>; close(): void };

/** Connects over a real socket. */
export function socketConnection(server: Server): HttpConnection {
  const { port } = server.address() as AddressInfo;
  return createConnection(() => connect({ host: "127.0.0.1", port, noDelay: true }));
}

/** Connects through a pair of memory streams into the server's own parser and listener. */
export function memoryConnection(server: Server): HttpConnection {
  return createConnection(() => {
    const [ours, theirs] = createPair();
    server.emit("connection", theirs);
    return ours;
  });
}

function createConnection(open: () => Duplex): HttpConnection {
  let stream: Duplex | null = null;
  let onData: (chunk: string | null) => void = () => {};

  function openStream(): Duplex {
    const own = open().setEncoding("latin1");
    own.on("data", (chunk: string) => {
      if (stream === own) onData(chunk);
    });
    own.on("error", () => {});
    own.on("close", () => {
      if (stream !== own) return;
      stream = null;
      onData(null);
    });
    return own;
  }

  return {
    async exchange(wire, disconnects) {
      stream ??= openStream();
      const used = stream;
      let received = "";
      const answer = await new Promise<HttpResponse>((resolve, reject) => {
        const timeout = setTimeout(() => reject(new Error("A request was not answered at all.")), PATIENCE_MS);
        onData = (chunk) => {
          received += chunk ?? "";
          const connectionEnded = chunk === null;
          const incomplete = connectionEnded ? { status: statusOf(received), text: received } : null;
          const response = responseIfComplete(received) ?? incomplete;
          if (response === null) return;
          clearTimeout(timeout);
          resolve(response);
        };
        if (disconnects) used.end(wire);
        else used.write(wire);
      });
      onData = () => {};
      if (disconnects || /^connection: close/im.test(received)) {
        stream = null;
        used.destroy();
      }
      return answer;
    },
    close() {
      stream?.destroy();
    },
  };
}

function responseIfComplete(received: string): HttpResponse | null {
  const final = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  const headEnd = final.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const length = /^content-length: (\d+)/im.exec(final)?.[1];
  // Without a length, the body is sent in chunks.
  const isComplete =
    length === undefined ? final.endsWith(LAST_CHUNK) : final.length >= headEnd + "\r\n\r\n".length + Number(length);
  return isComplete ? { status: statusOf(final), text: final } : null;
}

const LAST_CHUNK = "0\r\n\r\n";

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

function createPair(): [Duplex, Duplex] {
  const end = (other: () => Duplex) =>
    new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        other().push(chunk);
        done();
      },
      final(done) {
        other().push(null);
        done();
      },
      destroy(error, done) {
        if (!other().destroyed) other().push(null);
        done(error);
      },
    });
  const left: Duplex = end(() => right);
  const right: Duplex = end(() => left);
  return [left, right];
}
