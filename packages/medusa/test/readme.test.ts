import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { schema } from "../src/options/options.ts";
import * as storefront from "../src/storefront.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("every function that the storefront edits import from us exists", () => {
    const imports = [...readme.matchAll(/import \{([^}]*)\} from "@tillkit\/medusa\/storefront"/g)];
    const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
    expect(names.sort()).toEqual(["completeCheckout", "isActiveSession", "openCheckout", "paymentChoice"]);
    for (const name of names) expect(Object.keys(storefront)).toContain(name);
  });

  it("every option has a row in the table, and every row is an option", () => {
    const table = readme.slice(readme.indexOf("## Options"), readme.indexOf("**Rotate a key**"));
    const rows = [...table.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name = ""]) => name);
    const options = Object.entries(schema.shape).flatMap(([name, field]) =>
      field instanceof z.ZodObject ? Object.keys(field.shape).map((inner) => `${name}.${inner}`) : [name],
    );
    expect(rows.sort()).toEqual(options.sort());
  });
});
