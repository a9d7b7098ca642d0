// Makes the pictures of all READMEs again: the pages for shoppers, the operators' pages, the console, and what the plugins show
// in WooCommerce, Shopify and Medusa.
// npm run pictures                   all of them; those of Medusa need Medusa's packages and take minutes
// npm run pictures -- browser        only those of the named groups: browser, woocommerce, prestashop, shopify, medusa
// npm run pictures -- looks          every page of the browser tests and of the example programs at 360, 1280 and 1920 px, in light, dark and
//                                    forced colours, for somebody who looks at them: they stay in test-results/looks. It takes half an hour
// npm run pictures -- looks console  only those of the test files whose names contain this word; `examples`: only those of the example programs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { openBrowser, openDesktop, openPhone, PICTURES, savePicture } from "./phone.ts";

const PURCHASE = ["01-shop", "04-hosted-page", "07-waiting", "08-order-paid-by-mobile-money"];
/** What the home page of the documentation shows first. */
const FIRST_LOOK = ["04-hosted-page", "08-order-paid-by-mobile-money"];
/** Pictures for READMEs: the upper `height` pixels of a desktop picture that the browser tests take. */
const DESKTOP = [
  { name: "console-endpoint-failed-desktop", target: "packages/sandbox/pictures/console.png", height: 960 },
  { name: "desktop-hosted-page", target: "packages/sandbox/pictures/hosted-page.png", height: 900 },
  { name: "audit-report-en-desktop", target: "packages/audit/report.png", height: 1_080 },
  { name: "operators-en-overview-light", target: "packages/server/pictures/overview.png", height: 1_000 },
  { name: "operators-en-overview-dark", target: "packages/server/pictures/overview-dark.png", height: 1_000 },
  { name: "operators-fr-overview-light", target: "packages/server/pictures/overview-fr.png", height: 1_000 },
  { name: "operators-fr-overview-dark", target: "packages/server/pictures/overview-fr-dark.png", height: 1_000 },
];

/** Programs that no browser test opens, with the names by which they print the addresses of their pages. */
const EXAMPLES = [
  { program: "examples/shopify-app/src/start.ts", pages: { Shop: "shopify-shop", Owner: "shopify-settings" } },
  { program: "examples/new-adapter/src/start.ts", pages: { Shop: "generated-shop" } },
];

/** Lets tests keep the pictures of what they check. */
const KEPT = { TILLKIT_PICTURES: "keep" };

const [first, ...others] = process.argv.slice(2);
/** Words after `looks` name test files, all others name groups. */
const chosen = first === "looks" ? [first] : process.argv.slice(2);

const groups: Readonly<Record<string, () => Promise<void>>> = {
  async browser() {
    await run("vitest", ["run", "--project", "browser"], KEPT);
    await joinPhones(
      PURCHASE.map((name) => `en-${name}`),
      "examples/shop/pictures/purchase.jpg",
    );
    await joinPhones(PURCHASE, "examples/shop/pictures/purchase-fr.jpg");
    await joinPhones(
      FIRST_LOOK.map((name) => `en-${name}`),
      "packages/docs/site/public/purchase.png",
    );
    await joinPhones(FIRST_LOOK, "packages/docs/site/public/purchase-fr.png");
    for (const picture of DESKTOP) await cutPicture(picture);
  },
  async looks() {
    process.env.TILLKIT_LOOKS = "1";
    if (others[0] !== "examples") await run("vitest", ["run", "--project", "browser", ...others]);
    if (others.length === 0 || others[0] === "examples") for (const example of EXAMPLES) await takeExample(example);
  },
  async woocommerce() {
    const test = "packages/woocommerce/test/wordpress-screens.test.ts";
    await run("vitest", ["run", "--project", "unit", test], KEPT);
  },
  prestashop: () => drawLogo("packages/prestashop/module/tillkit/logo.png"),
  shopify: () => takeShopifySettings("packages/shopify/pictures/settings.png"),
  medusa: () => run("tsx", ["--conditions=@tillkit/source", "test/medusa/make-pictures.ts"]),
};

const unknownGroup = chosen.find((name) => !Object.hasOwn(groups, name));
if (unknownGroup === undefined) {
  const all = Object.keys(groups).filter((name) => name !== "looks");
  for (const name of chosen.length > 0 ? chosen : all) await groups[name]?.();
} else {
  console.error(`There are no pictures of "${unknownGroup}": name one of ${Object.keys(groups).join(", ")}.`);
  process.exitCode = 2;
}

/** Runs a tool of this repository. @throws Error when the tool fails, because the old pictures would stay */
async function run(tool: string, options: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = spawn(join("node_modules", ".bin", tool), options, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${tool} ${options.join(" ")} failed: its pictures were not made again.`);
}

/** Reads a picture that a browser test took, as a data URL. */
async function readPicture(name: string): Promise<string> {
  const bytes = await readFile(join(PICTURES, `${name}.png`)).catch(() => {
    throw new Error(`No browser test takes a picture with the name ${name}.`);
  });
  return `data:image/png;base64,${bytes.toString("base64")}`;
}

/** A page can be much longer than a README shows. A shorter page is copied whole. */
async function cutPicture({ name, target, height }: (typeof DESKTOP)[number]): Promise<void> {
  const browser = await openBrowser();
  const page = await (await openDesktop(browser)).newPage();
  await page.setContent(`<style>body { margin: 0 } div { max-height: ${height}px; overflow: hidden } img { display: block }</style>
    <div><img alt="" src="${await readPicture(name)}"></div>`);
  await mkdir(dirname(target), { recursive: true });
  await page.locator("div").screenshot({ path: target });
  await browser.close();
  console.log(target);
}

/** Joins pictures of a phone side by side, cut at the height of a screen. A PNG has no background, so it fits light and dark pages. */
async function joinPhones(names: readonly string[], target: string): Promise<void> {
  const [width, height, gap] = [300, 650, 20];
  const phones = await Promise.all(
    names.map(async (name) => `<div><img alt="" src="${await readPicture(name)}"></div>`),
  );
  const browser = await openBrowser();
  const page = await browser.newPage({
    viewport: { width: gap + names.length * (width + gap), height: height + 2 * gap },
  });
  await page.setContent(`<style>
  body { margin: ${gap}px; display: flex; gap: ${gap}px; background: #e9e6df }
  div { width: ${width}px; height: ${height}px; overflow: hidden; border-radius: 20px; box-shadow: 0 3px 14px #0003; background: #fff }
  img { width: 100%; display: block }
</style>${phones.join("")}`);
  await mkdir(dirname(target), { recursive: true });
  if (target.endsWith(".png")) {
    await page.addStyleTag({ content: "body { background: none }" });
    await page.screenshot({ path: target, omitBackground: true });
  } else {
    await page.screenshot({ path: target, type: "jpeg", quality: 78 });
  }
  await browser.close();
  console.log(target);
}

/** PrestaShop lists a module with a picture of 57 pixels. */
async function drawLogo(target: string): Promise<void> {
  const svg = await readFile("packages/woocommerce/wordpress-plugin/tillkit-checkout/icons/tillkit.svg", "utf8");
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 57, height: 57 } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 57px; height: 57px }</style>${svg}`);
  await page.screenshot({ path: target, omitBackground: true });
  await browser.close();
  console.log(target);
}

/** Opens the pages of an example program on a phone in French and on a desktop in English. */
async function takeExample({ program, pages }: (typeof EXAMPLES)[number]): Promise<void> {
  await withProgram(program, Object.keys(pages), async (addresses) => {
    const browser = await openBrowser();
    for (const [language, context] of [
      ["fr", await openPhone(browser)],
      ["en", await openDesktop(browser)],
    ] as const) {
      for (const [index, name] of Object.values(pages).entries()) {
        const page = await context.newPage();
        await openWithoutNetwork(page, addresses[index] ?? "");
        await savePicture(page, `${name}-${language}`);
      }
    }
    await browser.close();
  });
}

/** Starts the Shopify example and opens its settings as the shop's admin does. */
async function takeShopifySettings(target: string): Promise<void> {
  await withProgram("examples/shopify-app/src/start.ts", ["Owner"], async ([address = ""]) => {
    const browser = await openBrowser();
    const page = await (await openDesktop(browser)).newPage();
    await page.setViewportSize({ width: 900, height: 900 });
    await openWithoutNetwork(page, address);
    await page.getByRole("button", { name: "Save" }).waitFor();
    await page.screenshot({ path: target, fullPage: true });
    await browser.close();
    console.log(target);
  });
}

/** A picture shows what this repository draws, and is the same without a network. */
async function openWithoutNetwork(page: Page, address: string): Promise<void> {
  await page.route("https://cdn.shopify.com/**", (route) => route.abort());
  await page.goto(address);
}

/** Starts an example program and hands over the addresses that it prints under these names. */
async function withProgram(
  program: string,
  names: readonly string[],
  visit: (addresses: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-pictures-"));
  const options = ["--conditions=@tillkit/source", "--import", "tsx", program];
  const env = { ...process.env, DATA_FOLDER: folder };
  const demo = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = once(demo, "exit");
  try {
    await visit(await readAddresses(demo.stdout, names));
  } finally {
    demo.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function readAddresses(output: NodeJS.ReadableStream, names: readonly string[]): Promise<readonly string[]> {
  const printed = new Map<string, string>();
  for await (const line of createInterface({ input: output })) {
    const [, name = "", address = ""] = /^\s*(\w+)\s+(http\S+)/.exec(line) ?? [];
    printed.set(name, address);
    if (names.every((wanted) => printed.has(wanted))) return names.map((wanted) => printed.get(wanted) ?? "");
  }
  throw new Error(`The program ended without the addresses of ${names.join(", ")}.`);
}
