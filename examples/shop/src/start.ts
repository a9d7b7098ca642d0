import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { activityLine } from "@tillkit/sandbox";
import { runPurchase } from "./auto-purchase.ts";
import { type Demo, openDemo } from "./demo.ts";

// `npm start` runs the sandbox and a shop on this machine, and prints what happens at the payment service. With --quiet it
// prints the addresses only. With --auto it makes one purchase, prints its steps and exits.

const FOLDER = ".tillkit";
const LONGEST_STOP_MS = 5_000;
const SIGNAL_ECHO_MS = 500;
const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[22m` : text);

try {
  const [option, ...others] = process.argv.slice(2);
  if (others.length > 0) throw new Error(`Use one option, --quiet or --auto, not also ${others[0]}.`);
  if (option === undefined || option === "--quiet") await run(option === "--quiet");
  else if (option === "--auto") await runAuto();
  else throw new Error(`There is no option ${option}: leave it out, or use --quiet or --auto.`);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function run(quiet: boolean): Promise<void> {
  const startedAt = performance.now();
  console.log("");
  let isReady = false;
  const demo = await openDemo(FOLDER, {
    onStep: (text) => console.log(`  ✓ ${text}`),
    // The requests of the start itself are not printed, because nobody at the terminal caused them.
    onActivity: (activity) => isReady && !quiet && console.log(`  ${activityLine(activity)}`),
  });
  stopOnSignal(demo);
  console.log(`
  Ready in ${seconds(performance.now() - startedAt)}.

  Shop      ${bold(demo.shopUrl)}
  Console   ${bold(demo.sandbox.consoleUrl)}   what the payment service sees
  Health    ${bold(`${demo.shopUrl}/healthz`)}
  Operators ${bold(demo.operatorLink)}
            every payment and its timeline. The link logs in once, within an hour; later, open ${demo.shopUrl}/operators with the token
            ${bold(demo.operatorToken)}

  Buy something: card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined,
  a phone number ending in 0001 pays after 15 seconds, one ending in 0002 fails.
  To change or cancel an order while it is being paid: ${demo.shopUrl}/owner

  Everything is stored in ${FOLDER}/. Press Ctrl-C to stop.
`);
  if (!quiet) console.log("  What happens at the payment service:\n");
  isReady = true;
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
