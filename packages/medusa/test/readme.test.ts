import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readOptions } from "../src/options/options.ts";
import * as storefront from "../src/storefront.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("every function that the storefront edits import from us exists", () => {
    const imports = [...readme.matchAll(/import \{([^}]*)\} from "@tillkit\/medusa\/storefront"/g)];
    const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
    expect(names.sort()).toEqual(["completeCheckout", "isActiveSession", "redirectToCheckout"]);
    for (const name of names) expect(Object.keys(storefront)).toContain(name);
  });

  it("every option has a row in the table, and every row is an option", () => {
    const table = readme.slice(readme.indexOf("## Options"), readme.indexOf("**Rotate a key**"));
    const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name);
    // A name that is no option is reported as such; a wrong value of a real option is reported in other words.
    const withWrongValues = Object.fromEntries(rows.map((name) => [name, Symbol(name)]));
    expect(mistakesOf(withWrongValues)).not.toContain("there is no such option");
    const options = {
      apiKey: "svc_sk_test_1",
      baseUrl: "https://api.service.example",
      returnUrl: "https://shop.example",
    };
    const resolved = readOptions({ ...options, webhookSecrets: ["whsec_1"], keys: ["k".repeat(32)] });
    for (const name of Object.keys(resolved)) expect(rows).toContain(name);
  });
});

/** The message with which the options are rejected. */
function mistakesOf(options: unknown): string {
  try {
    readOptions(options);
  } catch (error) {
    return String(error);
  }
  throw new Error("The options were accepted.");
}
