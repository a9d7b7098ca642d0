import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { openStore, type RunningStore } from "./open-store.ts";

// What `npm run start:medusa` runs: the payment service, a Medusa with the plugin, and a storefront, all on this machine.
// With --admin: the owner's pages too, which take a minute to build.

const LONGEST_STOP_MS = 15_000;

try {
  const [option, ...others] = process.argv.slice(2);
  if ((option !== undefined && option !== "--admin") || others.length > 0) {
    throw new Error(`There is no option ${[option, ...others].join(" ")}: leave it out, or use --admin.`);
  }
  const store = await openStore({ admin: option === "--admin", say: (line) => console.log(`  ${line} …`) });
  tell(store);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), once(process, "SIGHUP")]);
  console.log("\n  Stopping …");
  setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
  await store.close();
  console.log("  Stopped. Orders and payments are kept for the next start.");
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function tell({ storefrontUrl, medusa, sandbox, login, hasAdmin, folder }: RunningStore): void {
  const admin = hasAdmin
    ? `${medusa.url}/app   ${login.email}, ${login.password}`
    : "start with `npm run start:medusa -- --admin`";
  console.log(`
  Storefront ${storefrontUrl}
  Medusa     ${medusa.url}
  Admin      ${admin}
  Console    ${sandbox.consoleUrl}   what the payment service sees

  Buy something: card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.
  Francs and dollars are taken; for dinars the service has no answer, and the shopper is told so.

  Everything is kept in ${join(folder, "")}. Press Ctrl-C to stop.
`);
}
