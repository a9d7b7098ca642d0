import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formsOf, type SeenPage, textOf } from "../src/visitor/seen-page.ts";
import { type OpenPages, openPages } from "./open-pages.ts";

let pages: OpenPages;

beforeAll(async () => {
  pages = await openPages();
});

afterAll(() => pages.close());

describe("the catalogue", () => {
  it("the catalogue shows every price in the format of the shopper's language", async () => {
    const french = textOf((await pages.visitor("fr-CI").open(pages.url)).html);
    expect(french).toContain("25\u202f000\u00a0F\u00a0CFA");
    expect(french).toContain("39,90\u00a0$US");
    expect(textOf((await pages.visitor("en-GB,en;q=0.9,fr;q=0.5").open(pages.url)).html)).toContain("$39.90");
  });

  it("the catalogue is in French for a shopper with an unknown language", async () => {
    expect((await pages.visitor("sw").open(pages.url)).html).toContain('<html lang="fr">');
  });

  it("the shop remembers the language that a shopper chose, whatever the browser's language", async () => {
    const visitor = pages.visitor("fr");
    const chosen = await visitor.open(`${pages.url}/cart?language=en`);
    expect(chosen.url).toBe(`${pages.url}/cart`);
    expect((await visitor.open(pages.url)).html).toContain('<html lang="en">');
  });

  it("switching the language keeps the page and its query", async () => {
    const page = await pages.visitor("fr").open(`${pages.url}/owner?problem=late`);
    expect(page.html).toContain('href="/owner?problem=late&amp;language=en"');
    const english = await pages.visitor("fr").open(`${pages.url}/owner?problem=late&language=en`);
    expect(english.url).toBe(`${pages.url}/owner?problem=late`);
  });

  it.each(["//evil.example/", "/..//evil.example/", "/\\\\evil.example/"])(
    "the language switch never redirects to another site (%s)",
    async (path) => {
      const location = await locationOf(`${path}?language=en`);
      expect(new URL(location, pages.url).origin).toBe(pages.url);
    },
  );
});

describe("the cart", () => {
  it("the cart adds, counts and removes products without JavaScript", async () => {
    const visitor = pages.visitor("en");
    await add(visitor, "cafe");
    const cartWithTwo = await add(visitor, "cafe");
    expect(textOf(cartWithTwo.html)).toContain("8\u202f000\u00a0F\u00a0CFA");
    const cartWithOne = await visitor.submit(cartWithTwo, { quantity: "1" }, /\/cart\/cafe$/);
    expect(textOf(cartWithOne.html)).toContain("4\u202f000\u00a0F\u00a0CFA");
    const emptyCart = await visitor.submit(cartWithOne, { quantity: "0" }, /\/cart\/cafe$/);
    expect(textOf(emptyCart.html)).toContain("Your cart is empty.");
  });

  it("the cart checks out francs and dollars separately", async () => {
    const visitor = pages.visitor("en");
    await add(visitor, "cafe");
    const cart = await add(visitor, "cadeau");
    expect(textOf(cart.html)).toContain("they make two orders");
    expect(cart.html).toContain("/checkout/XOF");
    expect(cart.html).toContain("/checkout/USD");
  });

  it("a checkout of an empty basket redirects to the cart", async () => {
    expect((await pages.visitor().open(`${pages.url}/checkout/XOF`)).url).toBe(`${pages.url}/cart`);
  });
});

describe("the checkout", () => {
  it("an incomplete checkout form names the missing field beside it and orders nothing", async () => {
    const visitor = pages.visitor("fr");
    await add(visitor, "cafe");
    const checkout = await visitor.open(`${pages.url}/checkout/XOF`);
    const refused = await visitor.submit(checkout, { pickupName: "   " });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="pickup-name-problem">Écrivez le nom/);
    expect(refused.html).toMatch(/aria-describedby="pickup-name-hint pickup-name-problem" aria-invalid="true"/);
  });

  it("the order stays when the payment page cannot be opened, and its page offers to try again", async () => {
    const page = await order("fr", "Awa <Diop>");
    expect(page.url).toMatch(/\/orders\/[\w-]{22}\?outcome=unavailable$/);
    expect(textOf(page.html)).toContain("rien n’a été débité");
    expect(page.html).toContain("Awa &lt;Diop&gt;");
    expect(formsOf(page).map(({ action }) => new URL(action).pathname.replace(/[\w-]{22}/, "…"))).toContain(
      "/orders/…/pay",
    );
  });

  it("a checkout form that is sent twice makes one order and leads to it both times", async () => {
    const visitor = pages.visitor("fr");
    await add(visitor, "cafe");
    const checkout = await visitor.open(`${pages.url}/checkout/XOF`);
    const [first, second] = [
      await visitor.submit(checkout, { pickupName: "Awa" }),
      await visitor.submit(checkout, { pickupName: "Awa" }),
    ];
    expect(second.url).toBe(first.url);
  });
});

describe("an old checkout form", () => {
  it("an old checkout form that is sent with another cart makes a second order", async () => {
    const visitor = pages.visitor("en");
    await add(visitor, "cafe");
    const checkout = await visitor.open(`${pages.url}/checkout/XOF`);
    const first = await visitor.submit(checkout, { pickupName: "Awa" });
    await add(visitor, "panier");
    const second = await visitor.submit(checkout, { pickupName: "Awa" });
    expect(second.url).not.toBe(first.url);
    expect(textOf(second.html)).toContain("1 × Woven palm basket");
    expect(textOf((await visitor.open(first.url)).html)).toContain("1 × Coffee from Man");
  });
});

describe("the order page", () => {
  it("an order page opens in another browser by its address alone", async () => {
    const { url } = await order("fr", "Awa");
    const elsewhere = await pages.visitor("en").open(url);
    expect(elsewhere.status).toBe(200);
    expect(textOf(elsewhere.html)).toContain("for Awa");
  });

  it("an order page does not open by an order number or a guessed key", async () => {
    await order("fr", "Awa");
    for (const guess of ["1001", "A".repeat(22), "%00", "..%2fowner", "'%20or%201=1--"]) {
      expect((await pages.visitor().open(`${pages.url}/orders/${guess}`)).status).toBe(404);
      expect((await pages.visitor().open(`${pages.url}/orders/${guess}/state`)).status).toBe(404);
    }
  });

  it("an order is not paid because the address of its page says so", async () => {
    const { url } = await order("fr", "Awa");
    const claimed = await pages.visitor().open(url.replace("unavailable", "paid"));
    expect(claimed.html).not.toContain('data-status="paid"');
  });
});

describe("a form that the shop did not make for this visitor", () => {
  it("a form without its visitor's token orders nothing", async () => {
    const visitor = pages.visitor("fr");
    const front = await visitor.open(pages.url);
    const stolen = formsOf(front)[0]?.fields.get("token") ?? "";
    expect(stolen).not.toBe("");
    for (const token of ["", "x", stolen]) {
      const answer = await post("/cart", { product: "cafe", token });
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie().join()).not.toContain("cart=");
      expect(textOf(await answer.text())).toContain("rechargez-la, puis réessayez");
    }
  });

  it("a form that names an unknown product is rejected with a sentence", async () => {
    const visitor = pages.visitor("en");
    const front = await visitor.open(pages.url);
    const answer = await visitor.submit(front, { product: "gold" });
    expect([answer.status, textOf(answer.html)]).toEqual([
      400,
      expect.stringContaining("Go back to the shop and try again."),
    ]);
  });

  it("a form that is too large is rejected", async () => {
    expect((await post("/cart", { product: "x".repeat(20_000) })).status).toBe(400);
  });
});

describe("every page", () => {
  it.each(["/", "/cart", "/nothing", "/owner"])(
    "the page %s loads nothing from another site and runs no code that stands in the page",
    async (path) => {
      const answer = await fetch(`${pages.url}${path}`);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const page = await answer.text();
      expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|\son\w+="|\sstyle="/);
      expect(page.match(/<h1/g)).toHaveLength(1);
    },
  );

  it("a page that does not exist says so and links to the shop", async () => {
    const page = await pages.visitor("fr").open(`${pages.url}/nothing`);
    expect(page.status).toBe(404);
    expect(textOf(page.html)).toContain("Retourner à la boutique");
  });
});

describe("an address that cannot be read", () => {
  it.each(["//[", "//[::1/cart", "//host:99999999/?language=en"])(
    "an unreadable address is answered with 400 and a sentence, never with a stack trace (GET %s)",
    async (path) => {
      const { status, text } = await getUnchanged(path);
      expect(status).toBe(400);
      expect(textOf(text).trim().length).toBeGreaterThan(20);
      expect(text).not.toMatch(/node_modules|TypeError|URIError|ERR_|\.ts\b/);
    },
  );
});

describe("the owner's page", () => {
  it("the owner's page shows orders and changes a total until the order is cancelled", async () => {
    const { url } = await order("en", "Owner’s friend");
    const owner = pages.visitor("en");
    const ownerPage = await owner.open(`${pages.url}/owner`);
    expect(textOf(ownerPage.html)).toContain("Owner’s friend");
    const changed = await owner.submit(ownerPage, { total: "4 500" }, /total$/);
    expect(textOf(changed.html)).toContain("4\u202f500\u00a0F\u00a0CFA");
    expect(textOf((await owner.open(url)).html)).toContain("Adjusted by the shop + 500\u00a0F\u00a0CFA");

    const cancelled = await owner.submit(changed, {}, /cancel$/);
    expect(textOf(cancelled.html)).toContain("cancelled");
    const orderPage = await owner.open(url.replace("?outcome=unavailable", ""));
    expect(textOf(orderPage.html)).toContain("Do not pay it.");
  });

  it.each(["free", "-5", "45.5", "0", ""])("the owner's page rejects a total of %o francs", async (total) => {
    await order("en", "Awa");
    const owner = pages.visitor("en");
    const answer = await owner.submit(await owner.open(`${pages.url}/owner`), { total }, /total$/);
    expect(textOf(answer.html)).toContain("Write an exact amount");
  });

  it("the owner's page does not open under another host name", async () => {
    const { status } = await getUnchanged("/owner", { Host: `evil.example:${new URL(pages.url).port}` });
    expect(status).toBe(404);
  });

  it("the owner's page does not exist unless the shop enables it", async () => {
    const withoutOwner = await openPages(false);
    expect((await withoutOwner.visitor().open(`${withoutOwner.url}/owner`)).status).toBe(404);
    await withoutOwner.close();
  });
});

async function add(visitor: ReturnType<OpenPages["visitor"]>, product: string): Promise<SeenPage> {
  const front = await visitor.open(pages.url);
  return await visitor.submit({ ...front, html: formAround(front, product) }, { product });
}

// All product forms have the same fields: keep the one of this product.
function formAround(front: SeenPage, product: string): string {
  return formsOf(front).find(({ fields }) => fields.get("product") === product)?.html ?? "";
}

async function order(language: string, pickupName: string): Promise<SeenPage> {
  const visitor = pages.visitor(language);
  await add(visitor, "cafe");
  return await visitor.submit(await visitor.open(`${pages.url}/checkout/XOF`), { pickupName });
}

async function locationOf(path: string): Promise<string> {
  const { headers } = await getUnchanged(path);
  return headers.location ?? "";
}

async function post(path: string, fields: Record<string, string>): Promise<Response> {
  return await fetch(`${pages.url}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "Accept-Language": "fr" },
    redirect: "manual",
  });
}

type RawAnswer = { status: number | undefined; headers: IncomingHttpHeaders; text: string };

/** Sends the path and the headers unchanged: `fetch` would refuse or correct the path, and set the Host header itself. */
function getUnchanged(path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(pages.url, { path, headers }, (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on("error", reject).end();
  });
}
