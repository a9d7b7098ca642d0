import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createShopUrl } from "../src/config/shop-endpoint.ts";
import { initShopify, readShopifyConfig, type ShopifyConfigInput } from "../src/index.ts";
import { readShopDomain } from "../src/shop-domain.ts";

const secret = "0123456789abcdef0123456789abcdef";
const valid = {
  publicUrl: "https://pay.example.com",
  listen: { tls: { cert: "/a.pem", key: "/a.key", clientCa: ["/ca.pem"] } },
  database: "sqlite::memory:",
  secretKeys: [secret],
  keys: [secret],
  service: { baseUrl: "https://api.service.example" },
  app: { mode: "offsite", clientId: "0123456789abcdef", clientSecret: "shpss_0123456789abcdef" },
} as const satisfies ShopifyConfigInput;

/** The error of a valid configuration with these changes. */
function mistakesOf(invalid: object): string {
  try {
    readShopifyConfig({ ...valid, ...invalid }, {});
  } catch (error) {
    expect(error).toMatchObject({ code: "configuration_invalid" });
    return (error as Error).message;
  }
  throw new Error("The configuration was accepted.");
}

/** The key `app` with these changes. */
const app = (change: object) => ({ app: { ...valid.app, ...change } });

describe("a configuration", () => {
  test("a configuration with the required keys has the documented defaults", () => {
    const config = readShopifyConfig(valid, {});
    expect(config).toMatchObject({
      listen: { host: "127.0.0.1", port: 8_080 },
      clientCertificates: { verifiedBy: "server" },
      autoRefund: ["duplicate", "order_gone", "order_not_payable"],
      currencies: ["XOF"],
      retention: { days: 30 },
      app: { apiVersion: "2026-07", expiringTokens: true, embedded: false, shopEndpoint: "https://{shop}" },
    });
  });

  test("a configuration reads secrets from the environment", () => {
    const written = { ...valid, keys: [{ env: "KEY" }], ...app({ clientSecret: { env: "SECRET" } }) };
    const config = readShopifyConfig(written, { KEY: secret, SECRET: "from the environment" });
    expect(config.keys).toEqual([secret]);
    expect(config.app.clientSecret).toBe("from the environment");
    expect(() => readShopifyConfig(written, { KEY: secret })).toThrow(
      /app\.clientSecret: the environment variable SECRET/,
    );
  });

  test.each([
    ["plain http on a public address", { publicUrl: "http://pay.example.com" }, /publicUrl must begin with https/],
    ["no mode", app({ mode: undefined }), /app\.mode must be "offsite" or "order"/],
    ["an API version that does not exist", app({ apiVersion: "2026-05" }), /app\.apiVersion must be a version/],
    ["an API version before 2026-01", app({ apiVersion: "2025-10" }), /since 2026-01/],
    ["a short key", { keys: ["short"] }, /keys\[0\] must have at least 32/],
    ["no secret key", { secretKeys: [] }, /secretKeys must name at least one/],
    ["an unknown key", { publicURL: "x" }, /publicURL is unknown: check its spelling/],
    ["an unsupported currency", { currencies: ["NGN"] }, /currencies\[0\] must be/],
    [
      "unverified certificates on a public address",
      { clientCertificates: { verifiedBy: "none" } },
      /lets anyone post payments/,
    ],
    ["verified certificates without TLS", { listen: {} }, /needs listen\.tls .* Behind a proxy set "proxy"\.$/],
    [
      "verified certificates without TLS on this machine",
      { listen: {}, publicUrl: "http://127.0.0.1:8080" },
      /For a simulator on this machine set {"verifiedBy":"none"}\.$/,
    ],
    [
      "an unknown way to verify certificates",
      { clientCertificates: { verifiedBy: "magic" } },
      /clientCertificates\.verifiedBy must be "server", "proxy" or "none"/,
    ],
    [
      "no certificate authority",
      { listen: { tls: { cert: "/a.pem", key: "/a.key", clientCa: [] } } },
      /listen\.tls\.clientCa must name at least one file/,
    ],
    ["an app without a name", app({ name: "" }), /app\.name must not be empty/],
    ["a name that is too long for Shopify", app({ name: "x".repeat(51) }), /app\.name must have 50 characters at most/],
    ["no country", app({ countries: [] }), /app\.countries must name at least one country/],
    ["no payment method", app({ paymentMethods: [] }), /app\.paymentMethods must name at least one payment method/],
    [
      "no trusted proxy",
      { clientCertificates: { verifiedBy: "proxy", header: "X-Verify", trustedProxies: [] } },
      /must name at least one proxy/,
    ],
    [
      "a trusted proxy that is not an IP address",
      { clientCertificates: { verifiedBy: "proxy", header: "X-Verify", trustedProxies: ["proxy.local"] } },
      /must be an address, such as/,
    ],
    ["registerWebhooks in offsite mode", app({ registerWebhooks: true }), /registerWebhooks is for order/],
    ["embedded in offsite mode", app({ embedded: true }), /embedded is for order mode/],
  ])("a configuration with %s is rejected", (_mistake, invalid, sentence) => {
    const mistakes = mistakesOf(invalid);
    expect(mistakes).toMatch(sentence);
    expect(mistakes).not.toContain("shpss_");
  });

  test.each([
    "http://shops.example/{shop}",
    "https://shops.example/{shop}",
    "https://{shop}.evil.example",
    "http://{shop}",
    "http://127.0.0.1:9000",
    "http://127.0.0.1:9000/{shop}/{shop}",
    "http://127.0.0.1:9000/{shop}/",
    "http://127.0.0.1:9000/?shop={shop}",
    "http://{shop}@127.0.0.1:9000/",
    "http://127.0.0.1.evil.example/{shop}",
  ])("tokens are never sent to the endpoint %s", (shopEndpoint) => {
    expect(mistakesOf(app({ shopEndpoint }))).toContain("app.shopEndpoint must be https://{shop}");
  });

  test("the shop endpoint may be a simulator on this machine", () => {
    for (const shopEndpoint of ["http://127.0.0.1:9000/{shop}", "http://localhost:9000/shops/{shop}"]) {
      expect(readShopifyConfig({ ...valid, ...app({ shopEndpoint }) }, {}).app.shopEndpoint).toBe(shopEndpoint);
    }
  });
});

describe("shop domains", () => {
  test.each([
    ["acme.myshopify.com", "acme.myshopify.com"],
    ["ACME-2.myshopify.com", "acme-2.myshopify.com"],
    ["acme.myshopify.com/", "acme.myshopify.com"],
  ])("the shop domain %s is read as %s", (text, shop) => expect(readShopDomain(text)).toBe(shop));

  test.each([
    "",
    "acme",
    "-acme.myshopify.com",
    "acme.myshopify.com.evil.example",
    "evil.example/acme.myshopify.com",
    "acme.myshopify.com/admin",
    "acme.myshopify.com//",
    "acme.myshopify.com:443",
    "a@acme.myshopify.com",
    "acme.myshopify.com\n",
    "acme%2emyshopify.com",
    "acme_1.myshopify.com",
    "ácme.myshopify.com",
    `${"a".repeat(100)}.myshopify.com`,
    "acme.myshopify.io",
    42,
    ["acme.myshopify.com"],
    null,
  ])("%j is not a shop domain, and no URL is built from it", (text) => {
    expect(readShopDomain(text)).toBeNull();
    if (typeof text === "string") expect(() => createShopUrl("https://{shop}")(text)).toThrow();
  });
});

describe("tillkit shopify init", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tillkit-shopify-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function init(name: string, config: object): Promise<string[]> {
    const configFile = join(folder, `${name}.json`);
    await writeFile(configFile, JSON.stringify(config));
    const lines: string[] = [];
    await initShopify({ configFile, outputDirectory: join(folder, name), print: (line) => lines.push(line) });
    return lines;
  }

  const read = (...path: string[]) => readFile(join(folder, ...path), "utf8");

  test("init writes the app and the extension with the addresses and the API version of the server", async () => {
    await init("offsite", { ...valid, ...app({ name: 'Mobile "money"', countries: ["SN", "CI"] }) });
    const appToml = await read("offsite", "shopify.app.toml");
    expect(appToml).toContain('client_id = "0123456789abcdef"');
    expect(appToml).toContain('application_url = "https://pay.example.com/shopify"');
    expect(appToml).toContain('redirect_urls = ["https://pay.example.com/shopify/callback"]');
    expect(appToml).toContain('scopes = "write_payment_gateways,write_payment_sessions"');
    expect(appToml).toContain('compliance_topics = ["customers/data_request", "customers/redact", "shop/redact"]');
    expect(appToml).not.toContain("shpss_");
    const extension = await read("offsite", "extensions", "tillkit-payments", "shopify.extension.toml");
    expect(extension).toContain('api_version = "2026-07"');
    expect(extension).toContain('name = "Mobile \\"money\\""');
    for (const kind of ["payment", "refund", "capture", "void"]) {
      expect(extension).toContain(`${kind}_session_url = "https://pay.example.com/shopify/${kind}"`);
    }
    expect(extension).toContain('supported_countries = ["SN", "CI"]');
    expect(extension).toContain('target = "payments.offsite.render"');
  });

  test("init writes the file of a first deployment without the scopes that Shopify grants with its approval", async () => {
    await init("first", valid);
    expect(await read("first", "first-deploy", "shopify.app.toml")).toContain('scopes = ""');
    const extension = await read("first", "extensions", "tillkit-payments", "shopify.extension.toml");
    expect(extension).toContain('\nbuyer_label = "');
    expect(extension).not.toContain("default_buyer_label");
  });

  test("init in order mode writes the definition of the pay link, the extension that shows it, and the lines for the e-mail", async () => {
    await init("pages", { ...valid, ...app({ mode: "order" }) });
    expect(await read("pages", "shopify.app.toml")).toContain('[order.metafields.app.pay_url]\ntype = "url"');
    const extension = (...names: string[]) => read("pages", "extensions", "tillkit-pay-link", ...names);
    expect(await extension("shopify.extension.toml")).toContain('target = "purchase.thank-you.block.render"');
    expect(await extension("src", "app-url.ts")).toContain('APP_URL = "https://pay.example.com"');
    expect(JSON.parse(await read("pages", "package.json"))).toMatchObject({ workspaces: ["extensions/*"] });
    expect(JSON.parse(await extension("locales", "fr.json"))).toMatchObject({ pay: "Payer maintenant" });
    expect(await read("pages", "order-confirmation-email.liquid")).toContain(
      "https://pay.example.com/shopify/order-pay?shop={{ shop.permanent_domain }}&order={{ id }}",
    );
  });

  test("init in order mode requests the order scopes and webhooks and writes no payments extension", async () => {
    await init("order", { ...valid, ...app({ mode: "order" }) });
    const appToml = await read("order", "shopify.app.toml");
    expect(appToml).toContain('scopes = "read_orders,write_orders"');
    expect(appToml).toContain('"orders/create", "orders/updated", "orders/cancelled", "refunds/create"');
    await expect(read("order", "extensions", "tillkit-payments", "shopify.extension.toml")).rejects.toThrow();
  });

  test("init names the file that it cannot write", async () => {
    await writeFile(join(folder, "taken"), "a file where a folder should be");
    await expect(init("taken", valid)).rejects.toMatchObject({
      code: "configuration_invalid",
      message: `${join(folder, "taken", "shopify.app.toml")} cannot be written (EEXIST).`,
    });
  });

  test("init does not change an existing file", async () => {
    await writeFile(join(folder, "offsite", "shopify.app.toml"), "mine");
    const lines = await init("offsite", valid);
    expect(lines[0]).toContain("Not changed");
    expect(await read("offsite", "shopify.app.toml")).toBe("mine");
  });
});
