import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

/** A local proxy in front of the socket of a PostgreSQL server. `turnTo` chooses another server. */
export type DatabaseAddress = {
  readonly port: number;
  readonly url: string;
  /** New connections lead to this socket. Open ones stay where they are. */
  turnTo(socketPath: string): void;
  /** Open connections stay open but transfer nothing any more, as when the machine behind them dies. New connections work. */
  silence(): void;
  /** As soon as a client sends this text, all open connections go silent, as after `silence`. */
  silenceAt(text: string): void;
  /** How many connections went silent. */
  silentConnections(): number;
  /** How many messages the clients have sent over connections that are silent. */
  silentMessages(): number;
  close(): Promise<void>;
};

/** `delayMs`: how long the bytes need in each direction. */
export async function openDatabaseAddress(socketPath: string, delayMs = 0): Promise<DatabaseAddress> {
  let target = socketPath;
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let silentConnections = 0;
  let silentMessages = 0;
  let lastWords: string | null = null;
  const server = createServer((client) => {
    const upstream = createConnection(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (from === client) {
        clients.add(from);
        from.on("data", (chunk: Buffer) => {
          if (lastWords !== null && chunk.includes(lastWords)) silence();
        });
      }
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        clients.delete(from);
        to.destroy();
      });
      if (delayMs === 0) from.pipe(to);
      else from.pipe(createDelay(delayMs)).pipe(to);
    }
  });
  function silence(): void {
    lastWords = null;
    silentConnections += clients.size;
    for (const socket of sockets) socket.unpipe().pause();
    for (const client of clients) client.on("data", () => (silentMessages += 1)).resume();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    turnTo(path) {
      target = path;
    },
    silence,
    silenceAt(text) {
      lastWords = text;
    },
    silentConnections: () => silentConnections,
    silentMessages: () => silentMessages,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createDelay(ms: number): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      setTimeout(() => this.push(chunk), ms);
      done();
    },
  });
}
