import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { openStore, type RunningStore } from "./open-store.ts";

// `npm run start:medusa` starts the sandbox of the payment service, a Medusa with the plugin, and a storefront.
// With --admin it also builds the admin, which takes a minute.

const STOP_TIMEOUT_MS = 15_000;

try {
  const [option, ...others] = process.argv.slice(2);
  if ((option !== undefined && option !== "--admin") || others.length > 0) {
    throw new Error(`There is no option ${[option, ...others].join(" ")}: leave it out, or use --admin.`);
  }
  const store = await openStore({ admin: option === "--admin", reportProgress: (line) => console.log(`  ${line} …`) });
  printAddresses(store);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), once(process, "SIGHUP")]);
  console.log("\n  Stopping …");
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  await store.close();
  console.log("  Stopped. The next start continues with the same orders and payments.");
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function printAddresses({ storefrontUrl, medusa, sandbox, login, hasAdmin, folder }: RunningStore): void {
  const admin = hasAdmin
    ? `${medusa.url}/app   ${login.email}, ${login.password}`
    : "start with `npm run start:medusa -- --admin`";
  console.log(`
  Storefront ${storefrontUrl}
  Medusa     ${medusa.url}
  Admin      ${admin}
  Console    ${sandbox.consoleUrl}   the sandbox of the payment service

  Buy something: card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.
  Prices are in CFA francs or US dollars. Ship to Kuwait to see the error for a currency that the service does not take.

  All data is in ${join(folder, "")}. Press Ctrl-C to stop.
`);
}
