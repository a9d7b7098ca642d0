import process from "node:process";
import { createHost } from "./hosts/express.ts";
import { openSite } from "./open-site.ts";

try {
  await start();
} catch (error) {
  // One sentence says what to do; a stack would hide it.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function start(): Promise<void> {
  const site = await openSite();
  const server = await createHost(site);
  server.listen(site.port, "127.0.0.1", () => console.log(site.lines.join("\n")));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      server.close();
      server.closeAllConnections();
      await site.close();
      process.exit();
    });
  }
}
