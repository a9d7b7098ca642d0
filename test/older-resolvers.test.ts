import { expect, it } from "vitest";
import { olderResolverFields } from "../packaging/older-resolvers.ts";

it("a package names each of its entries for resolvers that do not read exports", () => {
  const entry = (name: string) => ({
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
  });
  const exports = {
    ".": entry("index"),
    "./webhooks/web": entry("webhooks/web"),
    "./provider": { types: "./provider.d.cts", default: "./provider.js" },
    "./modules/*": "./modules/*/index.js",
    "./package.json": "./package.json",
  };
  expect(olderResolverFields(exports)).toEqual({
    main: "./dist/index.cjs",
    types: "./dist/index.d.cts",
    typesVersions: { "*": { "webhooks/web": ["./dist/webhooks/web.d.cts"], provider: ["./provider.d.cts"] } },
  });
  expect(olderResolverFields(undefined)).toEqual({});
});
