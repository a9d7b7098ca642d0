import { createServer } from "node:net";

const FIRST_PORT = 3000;
const LAST_PORT = 3098;

/**
 * The port of the shop: that of `PORT`, where 0 is any free one, or without it the first free one from 3000 on.
 * @param ports how many ports one after the other the shop needs: two with a sandbox beside it
 * @throws Error that says what to do
 */
export async function choosePort(text: string | undefined, ports: number): Promise<number> {
  if (text === undefined || text === "") return firstFree(FIRST_PORT, LAST_PORT, ports);
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port + ports > 65_536)
    throw new Error(`PORT must be a whole number from 0 to ${65_536 - ports}, not "${text}".`);
  // Below the ports that systems give away by themselves, which another program could get before the shop listens.
  if (port === 0) return firstFree(10_000 + Math.floor(Math.random() * 20_000), 32_000, ports);
  if (await areFree(port, ports)) return port;
  const next = await firstFree(port + 1, port + 99, ports);
  throw new Error(`Port ${port} is in use: stop the other program, or start with PORT=${next}.`);
}

async function firstFree(from: number, until: number, ports: number): Promise<number> {
  for (let port = from; port <= until; port += ports) if (await areFree(port, ports)) return port;
  throw new Error(`No port from ${from} to ${until} is free: name one in PORT.`);
}

async function areFree(port: number, ports: number): Promise<boolean> {
  for (let offset = 0; offset < ports; offset += 1) if (!(await isFree(port + offset))) return false;
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
