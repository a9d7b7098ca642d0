import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";

// PGlite has one session and no socket. Here clients of the real driver take turns on it: a turn is everything up to the
// client's next `Sync`, or, inside a transaction, up to its end.
const SSL_REQUEST = 80_877_103;
const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
const READY_AND_IDLE = Buffer.from("Z\0\0\0\x05I", "latin1");
const WELCOME = Buffer.concat([Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1"), READY_AND_IDLE]);

export async function servePglite(path: string): Promise<() => Promise<void>> {
  const database = await PGlite.create();
  const sockets = new Set<Socket>();
  let last: Promise<void> = Promise.resolve();
  /** Waits until nobody else has the session; what comes back gives it to the next one. */
  const takeSession = async (): Promise<() => void> => {
    const before = last;
    let done = () => {};
    last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    return done;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    void serveClient(socket, (bytes) => database.execProtocolRaw(bytes), takeSession);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await last;
  };
}

async function serveClient(
  socket: Socket,
  run: (bytes: Uint8Array) => Promise<Uint8Array>,
  takeSession: () => Promise<() => void>,
): Promise<void> {
  let giveBack: (() => void) | null = null;
  try {
    for await (const turn of turnsOf(socket)) {
      giveBack ??= await takeSession();
      const answer = Buffer.from(await run(turn));
      socket.write(answer);
      if (!answer.subarray(-6).equals(READY_AND_IDLE)) continue;
      giveBack();
      giveBack = null;
    }
  } catch {
    // The client is gone; what it began is undone below.
  }
  if (giveBack === null) return;
  await run(message("Q", "rollback\0"));
  giveBack();
}

/** What a client sends, after its greeting was answered, in pieces that end where it waits for an answer. */
async function* turnsOf(socket: Socket): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  let greeted = false;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    while (!greeted && bytes.length >= 8 && bytes.length >= bytes.readUInt32BE(0)) {
      greeted = bytes.readUInt32BE(4) !== SSL_REQUEST;
      bytes = bytes.subarray(bytes.readUInt32BE(0));
      socket.write(greeted ? WELCOME : "N");
    }
    for (let turn = greeted ? nextTurn(bytes) : 0; turn > 0; turn = nextTurn(bytes)) {
      yield bytes.subarray(0, turn);
      bytes = bytes.subarray(turn);
    }
  }
}

/** How many of the bytes make a whole turn; 0 when more have to come, or when the client says goodbye. */
function nextTurn(bytes: Buffer): number {
  for (let start = 0; bytes.length >= start + 5 && bytes[start] !== TERMINATE; ) {
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
