import type { Server } from "node:http";
import type { Socket } from "node:net";
import { serverLimits } from "../limits.ts";

/**
 * Bounds the connections of a server, also those in the middle of a TLS handshake. A new one takes the place of the connection that has
 * waited longest without a request: one that has not sent its headers yet, or that is kept open for a next request. So a webhook is
 * taken while thousands of connections are held open. When every connection has a request under way, the new one is closed.
 */
export function limitConnections(server: Server, maxConnections: number = serverLimits.maxConnections): void {
  const open = new Set<string>();
  // In the order in which they began to wait.
  const waiting = new Map<string, Socket>();

  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    open.add(peer);
    waiting.set(peer, socket);
    socket.once("close", () => {
      open.delete(peer);
      waiting.delete(peer);
    });
    if (open.size <= maxConnections) return;
    const [oldest] = waiting.values();
    oldest?.destroy();
  });
  server.on("request", ({ socket }, response) => {
    const peer = peerOf(socket);
    const connection = waiting.get(peer);
    waiting.delete(peer);
    response.once("close", () => {
      if (connection && open.has(peer)) waiting.set(peer, connection);
    });
  });
}

/** Names a connection. A request over TLS has another socket than the connection that carries it, and the same peer. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
