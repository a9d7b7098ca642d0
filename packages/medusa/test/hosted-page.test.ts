import { afterEach, describe, expect, it } from "vitest";
import { languageOfCountries } from "../src/store/country-language.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
afterEach(() => fixture?.close());

describe("the hosted page of a cart", () => {
  it("the form is filled in with the shopper's name, e-mail and phone, and the ledger forgets them once the page is open", async () => {
    fixture = await openFixture();
    const { session } = await fixture.startCheckout({
      buyer: { email: "awa@example.com", firstName: "Awa", lastName: "Diallo", phone: "+221 77 000 00 00" },
    });
    const hostedPage = await (await fetch(String(session.data.checkout_url))).text();
    for (const value of ["Awa Diallo", "awa@example.com"]) expect(hostedPage).toContain(value);
    const { request } = await fixture.payment(session);
    expect(JSON.parse(request)).toMatchObject({ description: "Two baskets", metadata: { language: "en" } });
    expect(request).not.toMatch(/awa@|Diallo|\+221/);
  });

  it.each([
    ["fr-FR", undefined, "fr"],
    ["en-US", "sn", "en"],
    [null, "sn", "fr"],
    [null, "ke", "en"],
    [null, "kw", "fr"],
    [null, undefined, "fr"],
  ] as const)(
    "a cart with locale %s and country %s in a French store is shown in %s",
    async (locale, country, shown) => {
      fixture = await openFixture({ language: "fr" });
      const { session } = await fixture.startCheckout({ locale, country });
      expect(JSON.parse((await fixture.payment(session)).request).metadata.language).toBe(shown);
    },
  );

  it("countries with several languages leave the choice to the store", () => {
    expect(languageOfCountries(["sn", "ci"])).toBe("fr");
    expect(languageOfCountries(["sn", "ke"])).toBeNull();
    expect(languageOfCountries([])).toBeNull();
  });
});
