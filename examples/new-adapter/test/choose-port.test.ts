import { createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { choosePort } from "../src/choose-port.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function occupy(port: number): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

test("a port that another program has is named with one that is free", async () => {
  const taken = await occupy(0);
  await expect(choosePort(String(taken), 2)).rejects.toThrow(
    new RegExp(`^Port ${taken} is in use: stop the other program, or start with PORT=\\d+\\.$`),
  );
  // The sandbox needs the port after the shop's.
  await expect(choosePort(String(taken - 1), 2)).rejects.toThrow("is in use");
});

test("PORT=0 is any free port with a free one after it, and what is no port is refused", async () => {
  const port = await choosePort("0", 2);
  expect(await choosePort(String(port), 2)).toBe(port);
  for (const wrong of ["abc", "-1", "3000.5", "65535"])
    await expect(choosePort(wrong, 2)).rejects.toThrow(`PORT must be a whole number from 0 to 65534, not "${wrong}".`);
});
