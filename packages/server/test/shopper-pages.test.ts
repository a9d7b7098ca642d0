import { createHash } from "node:crypto";
import { type Language, money, type Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { describe, expect, test } from "vitest";
import { english } from "../src/shopper/page/english.ts";
import { french } from "../src/shopper/page/french.ts";
import { type PageContent, renderPage, shopperPageHeaders } from "../src/shopper/page/render-page.ts";
import type { PageName } from "../src/shopper/page/texts.ts";

const payment: Payment = {
  ...NEW_PAYMENT_DEFAULTS,
  id: "5b1f6f0e-3a7c-4a2e-9d53-0f7c1b2a9e44",
  ref: { storeId: "boutique", orderId: "1042" },
  orderNumber: "1042",
  attempt: "payses_1",
  environment: "live",
  account: "acct_member",
  credentialId: "key_0123456789ab",
  createdAt: 0,
  amountDue: money(25_000, "XOF"),
  wireAmount: 25_000,
  request: '{"title":"Order of Awa Diop","customer_phone":"+221770000000"}',
  reference: "5b1f6f0e.secret-reference",
  session: { id: "session-of-the-service", url: "https://pay.service.example/cs_1", expiresAt: 1 },
  transactionId: "transaction-of-the-service",
  state: "open",
  finding: {
    code: "amount_differs",
    expected: { minor: 25_000, currency: "XOF" },
    found: { minor: 24_000, currency: "XOF" },
  },
};

const NAMES = Object.keys(french.pages) as PageName[];

function pageOf(name: PageName, more: Partial<PageContent> = {}): PageContent {
  const watch = { status: name, statusUrl: "../status/t?a=1&b=2", nextUrl: "../return/t", refreshSeconds: 5 };
  const shop = { shopUrl: "https://boutique.example/o?a=1&b=2", shopName: null, branding: {} };
  return { name, payment, ...shop, actionUrl: "../pay/t", watch, ...more };
}

function render(name: PageName, language: Language = "fr", more: Partial<PageContent> = {}): string {
  return renderPage(pageOf(name, more), language, "?lang=en");
}

describe.each(NAMES)("the page %s", (name) => {
  test.each(["fr", "en"] as const)(
    "every shopper's page is one well-formed document in %s with one heading and a title",
    (language) => {
      const page = render(name, language);
      expect(page).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}">`));
      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page.match(/<main/g)).toHaveLength(1);
      expect(page).toMatch(/<title>[^<]+<\/title>/);
      expect(unclosed(page)).toEqual([]);
      expect(page).not.toMatch(/undefined|null|\[object|NaN/);
    },
  );

  test("no shopper's page contains personal data, keys or ids of the service", () => {
    for (const language of ["fr", "en"] as const) {
      const page = render(name, language);
      for (const secret of [
        "Awa Diop",
        "+221770000000",
        "secret-reference",
        "session-of-the-service",
        "transaction-of-the-service",
        "acct_member",
        "key_0123456789ab",
        "24000",
      ]) {
        expect(page).not.toContain(secret);
      }
    }
  });

  test("every shopper's page differs between the two languages", () => {
    expect(english.pages[name].heading).not.toBe(french.pages[name].heading);
    expect(english.pages[name].lines).toHaveLength(french.pages[name].lines.length);
    expect(english.pages[name].action === null).toBe(french.pages[name].action === null);
  });

  test("no shopper's page loads an image, a font, a style sheet or a script", () => {
    const page = render(name);
    expect(page).not.toMatch(/<(?:img|iframe|link rel="stylesheet"|script src)|url\(|@import/);
  });
});

describe("what a shopper reads", () => {
  test("amounts are formatted for the language, and no line breaks before a French colon", () => {
    expect(render("waiting", "fr")).toContain("25\u202f000\u00a0F\u00a0CFA");
    expect(render("waiting", "en", { payment: { ...payment, amountDue: money(1_999, "USD") } })).toContain("$19.99");
    expect(render("waiting", "fr")).toContain("fermer cette page\u00a0: si");
  });

  test("only a payment in test mode shows the test mode notice", () => {
    expect(render("paid", "fr", { payment: { ...payment, environment: "test" } })).toContain("Mode test");
    expect(render("paid", "fr")).not.toContain("Mode test");
  });

  test("only pages of unpaid orders offer to pay", () => {
    const offering = NAMES.filter((name) => {
      const { action } = french.pages[name];
      return name === "waiting" || action?.includes("paiement") || action === "Réessayer";
    });
    expect(offering.sort()).toEqual(["declined", "expired", "resume", "tryLater", "waiting"]);
  });

  test("a page shows the shop's name, or the host of its address when it has none", () => {
    expect(render("waiting", "fr", { shopName: "Chez Adjoua & filles" })).toContain(
      "Commande 1042 · Chez Adjoua &amp; filles",
    );
    expect(render("waiting", "fr")).toContain("Commande 1042 · boutique.example");
  });

  test("nobody who pays by card reads about mobile money", () => {
    for (const name of NAMES)
      for (const language of ["fr", "en"] as const) expect(render(name, language), name).not.toMatch(/mobile/i);
  });

  test("a page without an address has no button", () => {
    expect(render("held", "fr", { actionUrl: null, shopUrl: null })).not.toContain("<a class=");
  });

  test("a page links to itself in the other language", () => {
    expect(render("waiting", "fr")).toContain('<a href="?lang=en" lang="en" hreflang="en">English</a>');
  });

  test("a hostile shop address stays inside its attribute", () => {
    const page = render("held", "fr", {
      actionUrl: null,
      shopUrl: 'https://boutique.example/"><script>alert(1)</script>',
    });
    expect(page).not.toContain("<script>alert");
  });
});

describe("the browser", () => {
  test("the headers of a page allow only our script and style, send no referrer and forbid caching", () => {
    const headers = shopperPageHeaders();
    const policy = headers["Content-Security-Policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers).toMatchObject({
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    });
  });

  test("without JavaScript only a waiting page reloads itself", () => {
    expect(render("waiting")).toContain('<noscript><meta http-equiv="refresh" content="5;url=../return/t"></noscript>');
    expect(render("held", "fr", { watch: null })).not.toMatch(/http-equiv|<script/);
  });

  test("screen readers announce changes of a waiting page", () => {
    expect(render("waiting")).toMatch(/<p class="live" id="live" role="status">/);
  });

  test("every page is smaller than nine kilobytes", () => {
    for (const name of NAMES) expect(Buffer.byteLength(render(name))).toBeLessThan(9_000);
  });
});

const VOID = new Set(["meta", "link", "path", "circle"]);

function unclosed(page: string): string[] {
  const open: string[] = [];
  const markup = page.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
  for (const [, end, tag = "", , self] of markup.matchAll(
    /<(\/?)([a-z0-9]+)((?:\s+[a-zA-Z-]+="[^"<>]*")*)\s*(\/?)>/g,
  )) {
    if (end === "") {
      if (self === "" && !VOID.has(tag)) open.push(tag);
    } else if (open.pop() !== tag) {
      return [...open, `</${tag}>`];
    }
  }
  return open;
}

describe("the shop's own look", () => {
  test("the order's number and the shop's name come first, and the receipt's number can be read out", () => {
    const page = render("waiting", "fr", { shopName: "Chez Adjoua" });
    expect(page).toContain("Commande 1042 · Chez Adjoua");
    expect(page.indexOf("Commande 1042")).toBeLessThan(page.indexOf("<h1>"));
    expect(page).toContain('Numéro de reçu</dt><dd class="number">15\u00a028\u00a078\u00a067\u00a002</dd>');
    expect(page).not.toContain(payment.id);
  });

  test("a long id of a platform without order numbers is not shown as an order number", () => {
    const orderNumber = "pay_col_01JD3W8ZJ4N7Q2X5R6T8V9Y0AB";
    expect(render("waiting", "en", { payment: { ...payment, orderNumber } })).not.toContain(orderNumber);
  });

  test("the shop's colour paints the main button, with text that can be read on it", () => {
    for (const [color, text] of [
      ["#0a7d4b", "#fff"],
      ["#ffd400", "#000"],
      ["#777777", "#000"],
    ] as const) {
      expect(render("expired", "fr", { branding: { color } })).toContain(`.button{background:${color};color:${text}}`);
    }
  });

  test.each(["red", "#fff", "#12345g", "#000000}body{display:none"])("the colour %s changes nothing", (color) => {
    expect(render("expired", "fr", { branding: { color } })).toBe(render("expired", "fr"));
  });

  test("the shop's logo is the only image that the browser may load", () => {
    const branding = { logoUrl: 'https://cdn.boutique.example/logo.png?a=1&b="' };
    const page = render("waiting", "fr", { branding, shopName: "Chez Adjoua" });
    expect(page).toContain('src="https://cdn.boutique.example/logo.png?a=1&amp;b=%22" alt="Chez Adjoua"');
    const policy = shopperPageHeaders(branding)["Content-Security-Policy"];
    expect(policy).toContain("img-src data: https://cdn.boutique.example;");
  });

  test("a logo without https is not shown", () => {
    expect(render("waiting", "fr", { branding: { logoUrl: "http://boutique.example/logo.png" } })).not.toContain(
      "<img",
    );
  });

  test("the headers of a branded page allow its style", () => {
    const branding = { color: "#ffd400" };
    const style = /<style>([\s\S]*)<\/style>/.exec(render("waiting", "fr", { branding }))?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(shopperPageHeaders(branding)["Content-Security-Policy"]).toContain(`'sha256-${hash}'`);
  });
});
