import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { schema as medusaSchema } from "../packages/medusa/src/options/options.ts";
import { selfServiceSchema } from "../packages/php-bridge/src/config/schema.ts";
import { configSchema as prestaShopSchema } from "../packages/prestashop/src/config.ts";
import { shopifyConfigSchema } from "../packages/shopify/src/config/config-schema.ts";
import { schema as vendureSchema } from "../packages/vendure/src/options/options.ts";
import { configSchema as wooCommerceSchema } from "../packages/woocommerce/src/config/schema.ts";
import { optionRows, optionTable } from "./options/option-table.ts";

/** Of servers whose shops connect themselves. */
const selfService = optionRows(selfServiceSchema).filter(({ name }) => name === "admission" || name === "stores");

const platforms = {
  Medusa: optionRows(medusaSchema),
  PrestaShop: [...optionRows(prestaShopSchema), ...selfService],
  Shopify: optionRows(shopifyConfigSchema),
  Vendure: optionRows(vendureSchema),
  WooCommerce: [...optionRows(wooCommerceSchema), ...selfService],
};

const introduction = `# Options

All options of the five platforms, with one name for one thing. PrestaShop, Shopify and WooCommerce read them from the JSON file of their server, in which
\`{ "env": "NAME" }\` stands for the value of an environment variable; Medusa and Vendure from the options of the plugin. \`stores[].apiKey\` is a field of
each store. An address begins with https://, or with plain http:// on this machine (\`localhost\`, \`127.0.0.1\`, \`[::1]\`), and has no user name and no
password; an address that others begin with has no \`?\` and no \`#\`.
`;

describe("the options of all platforms", () => {
  it("docs/options.md is the table of the schemas (vitest run test/options.test.ts -u writes it)", async () => {
    const page = fileURLToPath(new URL("../docs/options.md", import.meta.url));
    await expect(`${introduction}\n${optionTable(platforms)}\n`).toMatchFileSnapshot(page);
  });

  it("every option says what it means", () => {
    for (const rows of Object.values(platforms)) {
      expect(rows.length).toBeGreaterThan(15);
      expect(rows.filter(({ meaning }) => meaning.length < 10)).toEqual([]);
    }
  });

  it("one name means one thing: an option of two platforms has one type, and a setting of one thing has one name", () => {
    const last = (name: string) => name.split(".").at(-1);
    const byName = new Map<string, Set<string>>();
    const byMeaning = new Map<string, Set<string | undefined>>();
    for (const { name, type, meaning } of Object.values(platforms).flat()) {
      byName.set(name, (byName.get(name) ?? new Set()).add(type));
      byMeaning.set(meaning, (byMeaning.get(meaning) ?? new Set()).add(last(name)));
    }
    // Texts of two fields of one thing: a client's ID and its secret.
    byMeaning.delete("of the app in Shopify's dashboard");
    expect([...byName].filter(([, types]) => types.size > 1)).toEqual([]);
    expect([...byMeaning].filter(([, names]) => names.size > 1)).toEqual([]);
  });
});
