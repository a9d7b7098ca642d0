// Combines four pictures of the last browser run into the picture of the README.
// npx vitest run --project browser && npm run picture
import { mkdir, readFile } from "node:fs/promises";
import { openBrowser } from "./phone.ts";

const STEPS = ["01-shop", "04-hosted-page", "07-waiting", "08-order-paid-by-mobile-money"];
const TARGET = "examples/shop/pictures/purchase.jpg";
const WIDTH = 300;
const HEIGHT = 650;
const GAP = 20;

const phones = await Promise.all(
  STEPS.map(async (step) => {
    const picture = await readFile(`test-results/browser/${step}.png`, "base64");
    return `<div><img alt="" src="data:image/png;base64,${picture}"></div>`;
  }),
);
const browser = await openBrowser();
const page = await browser.newPage({
  viewport: { width: GAP + STEPS.length * (WIDTH + GAP), height: HEIGHT + 2 * GAP },
});
await page.setContent(`<style>
  body { margin: ${GAP}px; display: flex; gap: ${GAP}px; background: #e9e6df }
  div { width: ${WIDTH}px; height: ${HEIGHT}px; overflow: hidden; border-radius: 20px; box-shadow: 0 3px 14px #0003; background: #fff }
  img { width: 100%; display: block }
</style>${phones.join("")}`);
await mkdir("examples/shop/pictures", { recursive: true });
await page.screenshot({ path: TARGET, type: "jpeg", quality: 78 });
await browser.close();
console.log(TARGET);
