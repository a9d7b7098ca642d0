import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runPurchase } from "./auto-purchase.ts";
import { type Demo, openDemo } from "./demo.ts";

// `npm start` runs the sandbox and a shop on this machine. With --auto it makes one purchase and exits.

const FOLDER = ".tillkit";
const LONGEST_STOP_MS = 5_000;
const SIGNAL_ECHO_MS = 500;
const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[22m` : text);

try {
  const [option, ...others] = process.argv.slice(2);
  if (option === undefined) await run();
  else if (option === "--auto" && others.length === 0) await runAuto();
  else throw new Error(`There is no option ${option === "--auto" ? others[0] : option}: leave it out, or use --auto.`);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const startedAt = performance.now();
  console.log("");
  const demo = await openDemo(FOLDER, (text) => console.log(`  ✓ ${text}`));
  stopOnSignal(demo);
  console.log(`
  Ready in ${seconds(performance.now() - startedAt)}.

  Shop      ${bold(demo.shopUrl)}
  Console   ${bold(demo.sandbox.consoleUrl)}   what the payment service sees
  Health    ${bold(`${demo.shopUrl}/healthz`)}
  Operators ${bold(`${demo.shopUrl}/operators`)}   every payment and its timeline
  … token   ${bold(demo.operatorToken)}

  Buy something: card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined,
  a phone number ending in 0001 pays after 15 seconds, one ending in 0002 fails.
  To change or cancel an order while it is being paid: ${demo.shopUrl}/owner

  Everything is stored in ${FOLDER}/. Press Ctrl-C to stop.
`);
}

/** Uses its own temporary folder, so that it does not conflict with a running shop. */
async function runAuto(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-auto-"));
  const demo = await openDemo(folder);
  try {
    await runPurchase(demo.shopUrl, (line) => console.log(line));
  } finally {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function stopOnSignal(demo: Demo): void {
  let stoppingSince: number | null = null;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // One Ctrl-C can arrive twice, from the terminal and from npm; a second Ctrl-C stops the process at once.
      if (stoppingSince !== null && performance.now() - stoppingSince > SIGNAL_ECHO_MS) process.exit(1);
      if (stoppingSince !== null) return;
      stoppingSince = performance.now();
      console.log("\n  Stopping …");
      // An open connection of a shopper must not delay the exit.
      setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
      void demo.close().then(
        () => console.log("  Stopped. Orders and payments are stored for the next start."),
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error);
          process.exitCode = 1;
        },
      );
    });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
