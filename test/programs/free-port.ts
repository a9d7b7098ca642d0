import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of this machine that nobody listens on at the moment, for a program that starts later. It lies below the ports that systems give away
 * by themselves (32,768 and up): one of those could be given to another test's server before the program listens, and would answer in its place.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
