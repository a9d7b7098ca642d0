import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "tsup";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../", import.meta.url));

let bundleFolder: string;

// The bundles are inside the package, so that unbundled dependencies resolve as in an installed package.
beforeAll(async () => {
  const cache = join(packageFolder, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  bundleFolder = await mkdtemp(join(cache, "dist-"));
  await build({
    entry: {
      "woo-rest": join(packageFolder, "src/transport/woo-rest.ts"),
      fake: join(packageFolder, "../fake-woocommerce/src/index.ts"),
    },
    format: ["esm", "cjs"],
    outDir: bundleFolder,
    outExtension: ({ format }) => ({ js: format === "esm" ? ".mjs" : ".cjs" }),
    noExternal: [/^@tillkit\//],
    external: ["@woocommerce/woocommerce-rest-api", "zod"],
    esbuildOptions: (options) => {
      options.conditions = ["@tillkit/source"];
    },
    target: "node20",
    platform: "node",
    removeNodeProtocol: false,
    config: false,
    silent: true,
  });
});

afterAll(() => rm(bundleFolder, { recursive: true, force: true }));

const PROGRAM = `
const fake = await createFakeWooCommerce();
const { id } = fake.shop.placeOrder({ total: "5000" });
const rest = createWooRest({ ...fake, clock: { now: Date.now, sleep: () => new Promise(() => {}) } });
const { body } = await rest.put("orders/" + id, { set_paid: true, transaction_id: "t" });
console.log(body.status, body.total);
await fake.close();
`;

// The REST client is a CommonJS module with a nested default export, which only test runners and bundlers unwrap.
it.each([
  [
    "an import",
    "program.mjs",
    `import { createWooRest } from "./woo-rest.mjs"; import { createFakeWooCommerce } from "./fake.mjs"; ${PROGRAM}`,
  ],
  [
    "a require",
    "program.cjs",
    `const { createWooRest } = require("./woo-rest.cjs"); const { createFakeWooCommerce } = require("./fake.cjs"); (async () => { ${PROGRAM} })();`,
  ],
])("the bundled REST client marks an order paid in plain Node, loaded by %s", async (_, name, program) => {
  await writeFile(join(bundleFolder, name), program);
  const { stdout } = await run(process.execPath, [join(bundleFolder, name)]);
  expect(stdout.trim()).toBe("processing 5000.00");
});
