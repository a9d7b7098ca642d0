import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createElement, type FunctionComponent } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkTypes } from "./starters/check-types.ts";
import { applyEdits, type ReadmeEdit, readStorefrontEdits } from "./starters/readme-edits.ts";
import { render, runFile, type Visit } from "./starters/run-file.ts";
import { BACKEND_VARIABLE, type StarterName, starterFiles } from "./starters/starter-files.ts";

const STARTERS: readonly StarterName[] = ["dtc-starter", "nextjs-starter-medusa"];
const BUTTON = "src/modules/checkout/components/payment-button/index.tsx";
const RETURN_ROUTE = "src/app/[countryCode]/(checkout)/checkout/return/route.ts";
const STATUS_PAGE = "src/app/[countryCode]/(checkout)/checkout/return/[status]/page.tsx";

let edits: readonly ReadmeEdit[];
beforeAll(async () => {
  edits = await readStorefrontEdits();
});
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const editedFile = (starter: StarterName, path: string) => applyEdits(starterFiles(starter), edits).get(path) ?? "";
const newVisit = (): Visit => ({ redirects: [], cartForgotten: false });

/** Serves Medusa's return route with the same answer to every request. `paths` are the paths that were requested. */
async function serveMedusa(answer: object): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

/** A shopper opens the return link of a storefront with the README's edits. */
async function openReturnLink(starter: StarterName, env: Readonly<Record<string, string>>): Promise<Visit> {
  const visit = newVisit();
  const { GET } = runFile(editedFile(starter, RETURN_ROUTE), { visit, env });
  const request = { nextUrl: new URL("https://shop.example/ci/checkout/return?tillkit=the.token") };
  const open = GET as (request: unknown, context: unknown) => Promise<void>;
  await open(request, { params: Promise.resolve({ countryCode: "ci" }) }).catch((error: Error) => {
    if (error.message !== "NEXT_REDIRECT") throw error;
  });
  return visit;
}

function renderButton(starter: StarterName, providerId: string): string {
  const { default: PaymentButton } = runFile(editedFile(starter, BUTTON), { visit: newVisit() });
  const session = { provider_id: providerId, status: "requires_more", data: {} };
  const cart = {
    email: "awa@example.com",
    shipping_methods: [{ id: "sm_1" }],
    payment_collection: { payment_sessions: [session] },
  };
  return render(createElement(PaymentButton as FunctionComponent<{ cart: unknown }>, { cart }));
}

describe("the README's five edits of a storefront", () => {
  it("the README has five edits, each with a path", () => {
    expect(edits.map(({ path }) => path)).toEqual([
      "src/lib/constants.tsx",
      "src/modules/checkout/components/payment/index.tsx",
      BUTTON,
      RETURN_ROUTE,
      STATUS_PAGE,
    ]);
  });

  it.each(STARTERS)("the edits compile in the %s with the starter's own compiler settings", async (starter) => {
    expect(await checkTypes(applyEdits(starterFiles(starter), edits))).toEqual([]);
  });

  it("a button that passes the cart's id instead of the cart does not compile", async () => {
    const files = new Map(applyEdits(starterFiles("dtc-starter"), edits));
    files.set(BUTTON, (files.get(BUTTON) ?? "").replace("openCheckout(cart,", "openCheckout(cart.id,"));
    expect((await checkTypes(files)).join()).toContain("CartWithSessions");
  });

  describe.each(STARTERS)("in the %s", (starter) => {
    it("a shopper who chose our payment method sees a button to pay, and other payment methods keep their own buttons", () => {
      expect(renderButton(starter, "pp_tillkit_tillkit")).toContain(">Pay</button>");
      expect(renderButton(starter, "pp_system_default")).toContain("Place order");
      expect(renderButton(starter, "pp_other_other")).toContain("Select a payment method");
    });

    it("a shopper who returns after paying is sent to the order, and the cart is forgotten", async () => {
      const { url, paths } = await serveMedusa({ status: "paid", order_id: "order_01" });
      const visit = await openReturnLink(starter, { [BACKEND_VARIABLE[starter]]: url });
      expect(visit).toEqual({ redirects: ["/ci/order/order_01/confirmed"], cartForgotten: true });
      expect(paths).toEqual(["/store/tillkit/returns/the.token"]);
    });

    it("a shopper whose payment is held is sent to the page about held payments, and the cart is kept", async () => {
      const { url } = await serveMedusa({ status: "held", order_id: null });
      const visit = await openReturnLink(starter, { [BACKEND_VARIABLE[starter]]: url });
      expect(visit).toEqual({ redirects: ["/ci/checkout/return/held?tillkit=the.token"], cartForgotten: false });
    });

    it("a storefront that lacks Medusa's URL fails with the name of the missing variable and calls no payment unpaid", async () => {
      await expect(openReturnLink(starter, {})).rejects.toThrow(BACKEND_VARIABLE[starter]);
    });

    it("the page for a held payment asks the shopper not to pay again and has no link to the checkout", async () => {
      const { default: page } = runFile(editedFile(starter, STATUS_PAGE), { visit: newVisit() });
      const createPage = page as (props: unknown) => Promise<ReturnType<typeof createElement>>;
      const renderPage = async (status: string) => {
        const params = Promise.resolve({ countryCode: "ci", status });
        const searchParams = Promise.resolve({ tillkit: "the.token" });
        return render(await createPage({ params, searchParams }));
      };
      expect(await renderPage("held")).toContain("do not pay again");
      expect(await renderPage("held")).not.toContain("/checkout");
      expect(await renderPage("waiting")).toContain('href="/ci/checkout/return?tillkit=the.token"');
      expect(await renderPage("made-up")).toContain("This link is no longer valid");
    });
  });

  it("a storefront whose NEXT_PUBLIC_MEDUSA_BACKEND_URL is empty uses the URL in MEDUSA_BACKEND_URL", async () => {
    const { url } = await serveMedusa({ status: "paid", order_id: "order_01" });
    const env = { NEXT_PUBLIC_MEDUSA_BACKEND_URL: "", MEDUSA_BACKEND_URL: url };
    expect((await openReturnLink("nextjs-starter-medusa", env)).redirects).toEqual(["/ci/order/order_01/confirmed"]);
  });
});
