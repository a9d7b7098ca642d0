import process from "node:process";
import { makePurchase } from "./auto-purchase.ts";
import { type Mode, openShopifyDemo, type ShopifyDemo } from "./demo.ts";

// `npm run start:shopify` runs the payment service, Shopify with one shop, and the app server on this machine.
// --order: a shop without the payments extension. --auto: makes one purchase and exits.

try {
  const options = new Set(process.argv.slice(2));
  const [unknown] = [...options].filter((option) => option !== "--order" && option !== "--auto");
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}: leave it out, or use --order or --auto.`);
  const mode: Mode = options.has("--order") ? "order" : "offsite";
  console.log("");
  const demo = await openShopifyDemo(mode, (text) => console.log(`  ✓ ${text}`));
  if (options.has("--auto")) await runAuto(demo);
  else run(demo);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function run(demo: ShopifyDemo): void {
  const { shop, sandbox } = demo;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void demo.close().then(() => console.log("\n  Stopped.")));
  }
  console.log(`
  Shop      ${shop.origin}/
  Owner     ${shop.origin}/admin   opens the app's settings, as the shop's admin would
  Console   ${sandbox.consoleUrl}   what the payment service sees

  Buy something: card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined,
  a phone number ending in 0001 pays after 15 seconds, one ending in 0002 fails.

  Nothing is stored. Press Ctrl-C to stop.
`);
}

async function runAuto(demo: ShopifyDemo): Promise<void> {
  try {
    console.log("");
    await makePurchase(demo, (line) => console.log(`  ${line}`));
  } finally {
    await demo.close();
  }
}
