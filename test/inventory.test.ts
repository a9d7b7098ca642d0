import { describe, expect, it } from "vitest";
import { findUnaccepted, type Inventory, licenceTable, withoutLocalPaths } from "../packaging/inventory.ts";

const withLicence = (name: string, id: string) => ({ name, version: "1.0.0", licenses: [{ license: { id } }] });

describe("the inventory of what a shop installs", () => {
  it("packages under accepted licences, alone or combined, are accepted", () => {
    const combined = { name: "sha.js", version: "2.4.12", licenses: [{ expression: "(MIT AND BSD-3-Clause)" }] };
    expect(findUnaccepted({ components: [withLicence("pg", "MIT"), combined] })).toEqual([]);
  });

  it("a package whose licence is not accepted, or which has none, is named", () => {
    const nameless = { name: "nothing", version: "3.0.0" };
    const mixed = { name: "both", version: "2.0.0", licenses: [{ expression: "(MIT AND GPL-3.0-only)" }] };
    expect(findUnaccepted({ components: [withLicence("copyleft", "AGPL-3.0-only"), mixed, nameless] })).toEqual([
      "copyleft 1.0.0: AGPL-3.0-only",
      "both 2.0.0: (MIT AND GPL-3.0-only)",
      "nothing 3.0.0: none",
    ]);
  });

  it("the list has one row for each licence", () => {
    const components = [withLicence("zod", "MIT"), withLicence("split2", "ISC"), withLicence("kysely", "MIT")];
    expect(licenceTable({ components })).toBe(
      "| licence | packages | |\n|---|---|---|\n| ISC | 1 | split2 1.0.0 |\n| MIT | 2 | kysely 1.0.0, zod 1.0.0 |\n",
    );
  });

  it("no path of the machine that made the inventory is published", () => {
    const web = { url: "https://example.com/zod.tgz" };
    const inventory: Inventory = {
      components: [{ ...withLicence("zod", "MIT"), externalReferences: [web, { url: "file:/srv/zod.tgz" }] }],
    };
    expect(withoutLocalPaths(inventory).components[0]?.externalReferences).toEqual([web]);
  });
});
