import { once } from "node:events";
import process from "node:process";
import { buyOnce } from "./buy-once.ts";
import { openStore, type RunningStore } from "./open-store.ts";

// `npm run start:vendure` starts the sandbox of the payment service, a Vendure with the plugin, and a storefront.
// With --auto it makes one purchase by itself, step by step, and ends.

const STOP_TIMEOUT_MS = 15_000;

try {
  const [option, ...others] = process.argv.slice(2);
  if ((option !== undefined && option !== "--auto") || others.length > 0) {
    throw new Error(`There is no option ${[option, ...others].join(" ")}: leave it out, or use --auto.`);
  }
  const store = await openStore((line) => console.log(`  ${line} …`));
  try {
    if (option === "--auto") await buyOnce(store, (line) => console.log(`  ${line}`));
    else await runUntilStopped(store);
  } finally {
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await store.close();
  }
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function runUntilStopped({ storefrontUrl, vendureUrl, sandbox, folder, ...login }: RunningStore): Promise<void> {
  console.log(`
  Storefront ${storefrontUrl}
  Vendure    ${vendureUrl}/shop-api and /admin-api   owner, ${login.password}
  Operators  ${vendureUrl}/tillkit/operators   ${login.operatorToken}
  Console    ${sandbox.consoleUrl}   the sandbox of the payment service

  Buy something: card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.

  All data is in ${folder}. Press Ctrl-C to stop.
`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), once(process, "SIGHUP")]);
  console.log("\n  Stopping … The next start continues with the same orders and payments.");
}
