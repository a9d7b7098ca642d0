import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BrowserContext, Route } from "playwright-core";
import { onTestFinished } from "vitest";
import { pluginFile } from "../wordpress-plugin/plugin-files.ts";
import { php, pluginTests } from "./php.ts";
import { LINK_SECRET, type ServerFixture, STORE_ID } from "./server-fixture.ts";

/** The addresses of the shop and the checkout server in the browser. */
export const SHOP = "https://shop.example";
const CHECKOUT_SERVER = "https://pay.example.com";
const PLUGIN_FILES = "/wp-content/plugins/tillkit-checkout/";

/**
 * Routes https://shop.example to a shop of the PHP tests with one order, and https://pay.example.com to the checkout server. The
 * plugin's PHP renders every page of the shop and answers every call to the shop.
 */
export async function showShop(context: BrowserContext, fixture: ServerFixture, order: object): Promise<void> {
  const shopFolder = await mkdtemp(join(tmpdir(), "tillkit-screens-"));
  onTestFinished(() => rm(shopFolder, { recursive: true, force: true }));
  const options = {
    home: fixture.fake.url,
    permalink_structure: "/%postname%/",
    date_format: "j F Y",
    woocommerce_tillkit_settings: {
      enabled: "yes",
      title: "Mobile money or card",
      description: "You pay on a secure page and come back to the shop.",
      checkout_server: CHECKOUT_SERVER,
      store: STORE_ID,
      test: "yes",
    },
    tillkit_link_secrets: { current: LINK_SECRET, previous: "" },
  };
  await php(join(pluginTests, "shop-step.php"), shopFolder, "open", JSON.stringify({ options, order }));
  await context.route(`${SHOP}/**`, (route) => answer(route, shopFolder, fixture.url));
  await context.route(`${CHECKOUT_SERVER}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ status: 303, headers: { Location: fixture.url + pathname + search } });
  });
}

async function answer(route: Route, shopFolder: string, checkoutServerUrl: string): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  const file = fileOf(pathname);
  if (file !== null) return await route.fulfill({ path: file });
  const args = [join(pluginTests, "screens.php"), shopFolder, request.method(), pathname, request.postData() ?? ""];
  const env = { ...process.env, TILLKIT_CHECKOUT_SERVER: checkoutServerUrl };
  const { stdout } = await promisify(execFile)("php", args, { env });
  const { status, type, body } = JSON.parse(stdout) as { status: number; type: string; body: string };
  await route.fulfill({ status, contentType: type, body });
}

/** Scripts and pictures of the plugin, and the files of the page frame. */
function fileOf(pathname: string): string | null {
  if (pathname.startsWith(PLUGIN_FILES)) return pluginFile(pathname.slice(PLUGIN_FILES.length));
  const isFrame = pathname === "/frame.css" || pathname === "/blocks-host.js";
  return isFrame ? join(import.meta.dirname, "screens", pathname) : null;
}

/** Joins pictures side by side. */
export async function sideBySide(context: BrowserContext, files: readonly string[], target: string): Promise<void> {
  const width = 300;
  const height = 520;
  const gap = 20;
  const images = await Promise.all(
    files.map(async (file) => `<div><img src="data:image/png;base64,${await readFile(file, "base64")}"></div>`),
  );
  const page = await context.newPage();
  await page.setViewportSize({ width: gap + files.length * (width + gap), height: height + 2 * gap });
  await page.setContent(`<style>
    body { margin: ${gap}px; display: flex; gap: ${gap}px; background: #e9e6df }
    div { width: ${width}px; height: ${height}px; overflow: hidden; border-radius: 20px; box-shadow: 0 3px 14px #0003; background: #fff }
    img { width: 100%; display: block }
  </style>${images.join("")}`);
  await page.screenshot({ path: target });
  await page.close();
}
