import { type Language, money, type Payment } from "@tillkit/core";
import { describe, expect, test } from "vitest";
import { english } from "../src/pages/english.ts";
import { french } from "../src/pages/french.ts";
import { type Page, renderPage } from "../src/pages/page.ts";
import { pageHeaders } from "../src/pages/page-headers.ts";
import type { PageName } from "../src/pages/words.ts";

const payment: Payment = {
  id: "5b1f6f0e-3a7c-4a2e-9d53-0f7c1b2a9e44",
  ref: { storeId: "boutique", orderId: "1042" },
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
  amountReceived: null,
  transactionId: "transaction-of-the-service",
  state: "open",
  version: 1,
  checks: 0,
  nextCheckAt: null,
  storeWriteAt: null,
  storeTries: 0,
  storeRetryAt: null,
  continueUrl: null,
  finding: { code: "amount_differs", expected: "25000", found: "24000" },
  waiver: null,
};

const NAMES = Object.keys(french.pages) as PageName[];

function pageOf(name: PageName, more: Partial<Page> = {}): Page {
  const watch = { say: name, statusUrl: "../status/t?a=1&b=2", nextUrl: "../return/t", refreshSeconds: 5 };
  const shop = { shopUrl: "https://boutique.example/o?a=1&b=2", shopName: null };
  return { name, payment, ...shop, actionUrl: "../pay/t", watch, ...more };
}

function render(name: PageName, language: Language = "fr", more: Partial<Page> = {}): string {
  return renderPage(pageOf(name, more), language, "?lang=en");
}

describe.each(NAMES)("the page %s", (name) => {
  test.each(["fr", "en"] as const)(
    "is one whole, well-formed document in %s with one heading and a title",
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

  test("tells nothing about the shopper, the keys or the service's own names", () => {
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

  test("says something in both languages, and not the same", () => {
    expect(english.pages[name].heading).not.toBe(french.pages[name].heading);
    expect(english.pages[name].lines).toHaveLength(french.pages[name].lines.length);
    expect(english.pages[name].action === null).toBe(french.pages[name].action === null);
  });

  test("fetches nothing: no image, font, style or script of its own or of anybody else", () => {
    const page = render(name);
    expect(page).not.toMatch(/<(?:img|iframe|link rel="stylesheet"|script src)|url\(|@import/);
  });
});

describe("what a shopper reads", () => {
  test("has amounts as people write them, and the line never breaks before a French colon", () => {
    expect(render("waiting", "fr")).toContain("25\u202f000\u00a0F\u00a0CFA");
    expect(render("waiting", "en", { payment: { ...payment, amountDue: money(1_999, "USD") } })).toContain("$19.99");
    expect(render("waiting", "fr")).toContain("fermer cette page\u00a0: si");
  });

  test("says when no real money is meant, and only then", () => {
    expect(render("paid", "fr", { payment: { ...payment, environment: "test" } })).toContain("Mode test");
    expect(render("paid", "fr")).not.toContain("Mode test");
  });

  test("offers to pay only where nothing was paid", () => {
    const offering = NAMES.filter((name) => {
      const { action } = french.pages[name];
      return name === "waiting" || action?.includes("paiement") || action === "Réessayer";
    });
    expect(offering.sort()).toEqual(["declined", "expired", "resume", "tryLater", "waiting"]);
  });

  test("names the shop as its shoppers know it, or else by its host", () => {
    expect(render("waiting", "fr", { shopName: "Chez Adjoua & filles" })).toContain(
      "<dd>Chez Adjoua &amp; filles</dd>",
    );
    expect(render("waiting", "fr")).toContain("<dd>boutique.example</dd>");
  });

  test("has no button where there is nowhere to go", () => {
    expect(render("held", "fr", { actionUrl: null, shopUrl: null })).not.toContain("<a class=");
  });

  test("leads to the same page in the other language", () => {
    expect(render("waiting", "fr")).toContain('<a href="?lang=en" lang="en" hreflang="en">English</a>');
  });

  test("keeps a hostile shop address inside its attribute", () => {
    const page = render("held", "fr", {
      actionUrl: null,
      shopUrl: 'https://boutique.example/"><script>alert(1)</script>',
    });
    expect(page).not.toContain("<script>alert");
  });
});

describe("the browser", () => {
  test("runs our own script and style only, tells no other site the address, and keeps nothing", () => {
    const policy = pageHeaders["Content-Security-Policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(pageHeaders).toMatchObject({
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    });
  });

  test("without JavaScript opens a waiting page anew by itself, and leaves a finished one alone", () => {
    expect(render("waiting")).toContain('<noscript><meta http-equiv="refresh" content="5;url=../return/t"></noscript>');
    expect(render("held", "fr", { watch: null })).not.toMatch(/http-equiv|<script/);
  });

  test("reads changes of a waiting page aloud", () => {
    expect(render("waiting")).toMatch(/<p class="live" id="live" role="status">/);
  });

  test("gets the whole page in one small answer", () => {
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
