import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";

// PGlite has one session and no socket. This server lets clients of the real driver take turns: a turn ends with the client's
// next `Sync`, or, inside a transaction, with the end of the transaction.
// The numbers and letters are those of PostgreSQL's protocol.
const SSL_REQUEST = 80_877_103;
/** A message begins with its kind (one byte) and its length (four bytes, without the kind). */
const HEADER_LENGTH = 5;
const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
/** `ReadyForQuery` outside of a transaction. */
const READY_AND_IDLE = Buffer.from("Z\0\0\0\x05I", "latin1");
const AUTHENTICATED = Buffer.concat([Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1"), READY_AND_IDLE]);

export async function servePglite(path: string): Promise<() => Promise<void>> {
  const database = await PGlite.create();
  const sockets = new Set<Socket>();
  let sessionReleased: Promise<void> = Promise.resolve();
  /** Waits for the session. Returns a function that releases the session to the next client. */
  const acquireSession = async (): Promise<() => void> => {
    const releasedByOthers = sessionReleased;
    let release = () => {};
    sessionReleased = new Promise((resolve) => {
      release = resolve;
    });
    await releasedByOthers;
    return release;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    void serveClient(socket, (bytes) => database.execProtocolRaw(bytes), acquireSession);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await sessionReleased;
  };
}

async function serveClient(
  socket: Socket,
  run: (bytes: Uint8Array) => Promise<Uint8Array>,
  acquireSession: () => Promise<() => void>,
): Promise<void> {
  let releaseSession: (() => void) | null = null;
  try {
    for await (const batch of batchesOf(socket)) {
      releaseSession ??= await acquireSession();
      const response = Buffer.from(await run(batch));
      socket.write(response);
      if (!response.subarray(-READY_AND_IDLE.length).equals(READY_AND_IDLE)) continue;
      releaseSession();
      releaseSession = null;
    }
  } catch {
    // The client has disconnected. The code below rolls back its transaction.
  }
  if (releaseSession === null) return;
  await run(message("Q", "rollback\0"));
  releaseSession();
}

/** Splits what a client sends after its handshake into batches of messages. After each batch the client waits for a response. */
async function* batchesOf(socket: Socket): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  let isAuthenticated = false;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    // The messages of the handshake have no kind: only a length, and a protocol version or the request for SSL (answered `N`, no).
    while (!isAuthenticated && bytes.length >= 8 && bytes.length >= bytes.readUInt32BE(0)) {
      isAuthenticated = bytes.readUInt32BE(4) !== SSL_REQUEST;
      bytes = bytes.subarray(bytes.readUInt32BE(0));
      socket.write(isAuthenticated ? AUTHENTICATED : "N");
    }
    if (!isAuthenticated) continue;
    for (let length = batchLength(bytes); length > 0; length = batchLength(bytes)) {
      yield bytes.subarray(0, length);
      bytes = bytes.subarray(length);
    }
  }
}

/** The length of the first batch in bytes; 0 when the batch is incomplete, or when the client disconnects. */
function batchLength(bytes: Buffer): number {
  let start = 0;
  while (bytes.length >= start + HEADER_LENGTH && bytes[start] !== TERMINATE) {
    const end = start + 1 + bytes.readUInt32BE(start + 1);
    if (bytes.length < end) return 0;
    if (bytes[start] === QUERY || bytes[start] === SYNC) return end;
    start = end;
  }
  return 0;
}

function message(kind: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(text));
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(text)]);
}
