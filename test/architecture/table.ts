/** What one package may import. Everything that is not named here is forbidden. */
export type PackageRule = {
  /** Our own packages that src may import. */
  readonly ours: readonly string[];
  /** The third-party packages that src may import, each with the only public entry that may load it, or `anywhere`. */
  readonly libraries: Readonly<Record<string, string>>;
  /** Node's own modules, where not all of them are allowed. */
  readonly node?: readonly string[];
  /** Its build contains our packages: they are its devDependencies, and the libraries that they import are its dependencies. */
  readonly containsOurs?: true;
};

export const anywhere = "anywhere";

/** Who may import whom. */
export const packageRules: Readonly<Record<string, PackageRule>> = {
  "packages/client": { ours: [], libraries: { zod: "src/schemas.ts" } },
  "packages/core": { ours: ["client"], libraries: { zod: anywhere }, node: ["node:crypto"] },
  // Colours and parts of all pages. Built into the packages that have pages; not published by itself.
  "packages/styles": { ours: [], libraries: {} },
  "packages/sql": { ours: [], libraries: { kysely: anywhere, pg: anywhere, "@photostructure/sqlite": anywhere } },
  "packages/ledger": { ours: ["core", "sql"], libraries: { kysely: anywhere } },
  "packages/runtime": { ours: ["core", "client"], libraries: {} },
  "packages/server": {
    ours: ["core", "client", "runtime", "styles"],
    containsOurs: true,
    libraries: {
      "@opentelemetry/api": anywhere,
      express: anywhere,
      nodemailer: anywhere,
      "prom-client": anywhere,
      zod: "src/config.ts",
    },
  },
  // What PHP shops have in common: the shop's end in PHP, and the checkout server's end.
  "packages/php-bridge": {
    ours: ["client", "core", "ledger", "runtime", "server"],
    libraries: { express: anywhere, zod: anywhere },
  },
  "packages/sandbox": {
    ours: ["client", "sql", "styles"],
    containsOurs: true,
    libraries: { kysely: anywhere, zod: anywhere, "zod-openapi": anywhere },
  },
  "packages/testkit": {
    ours: ["core", "client", "sandbox"],
    libraries: { vitest: "src/vitest.ts" },
  },
  // What the platforms do, for our own tests and demos: never shipped.
  "packages/shopify-simulator": { ours: ["core"], libraries: { graphql: anywhere } },
  "packages/prestashop": { ours: ["core", "php-bridge", "server"], libraries: { zod: anywhere } },
  "packages/fake-woocommerce": { ours: ["client", "core"], libraries: {} },
  // Built into the command; not published by itself.
  "packages/audit": {
    ours: ["client", "core", "ledger", "runtime", "server", "sql"],
    libraries: { zod: anywhere },
  },
  "packages/cli": {
    ours: [
      "audit",
      "client",
      "core",
      "sql",
      "ledger",
      "runtime",
      "server",
      "sandbox",
      "woocommerce",
      "prestashop",
      "shopify",
      "create-tillkit",
    ],
    libraries: { "@modelcontextprotocol/server": anywhere, "create-tillkit": anywhere, zod: anywhere },
    containsOurs: true,
  },
  "packages/create-tillkit": { ours: [], libraries: { "@clack/prompts": anywhere } },
  "packages/medusa": {
    ours: ["client", "core", "ledger", "runtime"],
    libraries: {
      "@medusajs/framework": anywhere,
      "@medusajs/js-sdk": anywhere,
      "@medusajs/ui": anywhere,
      react: anywhere,
      "react-i18next": anywhere,
      "react-router-dom": anywhere,
      zod: anywhere,
    },
  },
  "packages/vendure": {
    ours: ["core", "ledger", "runtime", "server"],
    libraries: {
      "@nestjs/common": anywhere,
      "@nestjs/core": anywhere,
      "@nestjs/graphql": anywhere,
      "@vendure/core": anywhere,
      graphql: anywhere,
      zod: anywhere,
    },
  },
  "packages/woocommerce": {
    ours: ["client", "core", "ledger", "php-bridge", "runtime", "server"],
    libraries: { "@woocommerce/woocommerce-rest-api": anywhere, express: anywhere, zod: anywhere },
  },
  "packages/shopify": {
    ours: ["client", "core", "ledger", "runtime", "server"],
    libraries: { express: anywhere, zod: anywhere },
  },
  // The documentation site is served and built from the repository, and never shipped.
  "packages/docs": {
    ours: ["sandbox"],
    libraries: { typedoc: anywhere, vitepress: anywhere },
  },
  "examples/shop": {
    ours: ["client", "core", "sql", "ledger", "server", "sandbox", "testkit"],
    libraries: { express: anywhere, kysely: anywhere },
  },
  "examples/medusa-store": { ours: ["sandbox"], libraries: {} },
  "examples/vendure-store": { ours: ["client", "example-medusa-store", "sandbox"], libraries: {} },
  "examples/shopify-app": { ours: ["client", "sandbox", "shopify", "shopify-simulator"], libraries: {} },
  "examples/new-adapter": {
    ours: ["client", "core", "ledger", "sandbox", "server"],
    libraries: { "@hono/node-server": anywhere, express: anywhere, fastify: anywhere, hono: anywhere },
  },
  "examples/fetch-hosts": {
    ours: ["server"],
    libraries: { "@hono/node-server": anywhere, fastify: anywhere, h3: anywhere, hono: anywhere },
  },
  "examples/offsite-platform": { ours: ["core", "server"], libraries: { express: anywhere } },
};

/**
 * Inside core: what a folder of src, or a file beside the folders, may import. Every row sees itself and rows above it only, so
 * that no two folders import each other. `client`: whether the folder may import the client.
 */
export const coreFolders: Readonly<Record<string, { readonly sees: readonly string[]; readonly client: boolean }>> = {
  domain: { sees: ["domain"], client: false },
  ports: { sees: ["ports", "domain"], client: false },
  "system.ts": { sees: ["ports"], client: false },
  signing: { sees: ["signing", "domain"], client: true },
  "memory-ledger": { sees: ["memory-ledger", "ports", "domain"], client: false },
  "memory.ts": { sees: ["memory-ledger"], client: false },
  service: { sees: ["service", "system.ts", "signing", "ports", "domain"], client: true },
  resilience: { sees: ["resilience", "ports", "domain"], client: true },
  "engine.ts": { sees: ["resilience", "ports", "domain"], client: false },
  payments: { sees: ["payments", "engine.ts", "ports", "domain"], client: false },
  stores: { sees: ["stores", "resilience", "engine.ts", "ports", "domain"], client: false },
  movements: { sees: ["movements", "payments", "engine.ts", "ports", "domain"], client: false },
  sessions: { sees: ["sessions", "payments", "engine.ts", "ports", "domain"], client: false },
  verify: {
    sees: ["verify", "refunds", "sessions", "stores", "payments", "engine.ts", "ports", "domain"],
    client: false,
  },
  confirm: { sees: ["confirm", "verify", "stores", "payments", "engine.ts", "ports", "domain"], client: false },
  start: {
    sees: ["start", "verify", "sessions", "payments", "signing", "engine.ts", "ports", "domain"],
    client: false,
  },
  shopper: { sees: ["shopper", "confirm", "payments", "resilience", "engine.ts", "domain"], client: false },
  refunds: {
    sees: ["refunds", "movements", "stores", "payments", "signing", "engine.ts", "ports", "domain"],
    client: false,
  },
  reviews: { sees: ["reviews", "confirm", "refunds", "payments", "engine.ts", "domain"], client: false },
  disputes: { sees: ["disputes", "payments", "engine.ts", "ports", "domain"], client: true },
  recovery: {
    sees: [
      "recovery",
      "confirm",
      "refunds",
      "disputes",
      "sessions",
      "movements",
      "payments",
      "signing",
      "engine.ts",
      "ports",
      "domain",
    ],
    client: true,
  },
  texts: { sees: ["texts", "domain"], client: false },
  "back-office": {
    sees: [
      "back-office",
      "texts",
      "reviews",
      "refunds",
      "disputes",
      "movements",
      "payments",
      "resilience",
      "engine.ts",
      "ports",
      "domain",
    ],
    client: false,
  },
  "store-refunds": {
    sees: ["store-refunds", "back-office", "refunds", "payments", "engine.ts", "ports", "domain"],
    client: false,
  },
  timeline: { sees: ["timeline", "texts", "payments", "engine.ts", "domain"], client: false },
  deliveries: {
    sees: [
      "deliveries",
      "recovery",
      "refunds",
      "disputes",
      "confirm",
      "sessions",
      "movements",
      "payments",
      "signing",
      "engine.ts",
      "ports",
      "domain",
    ],
    client: true,
  },
  jobs: {
    sees: [
      "jobs",
      "deliveries",
      "texts",
      "reviews",
      "refunds",
      "disputes",
      "confirm",
      "movements",
      "stores",
      "payments",
      "resilience",
      "engine.ts",
      "ports",
      "domain",
    ],
    client: false,
  },
};

/** The entries of core, one for each kind of reader. They only export. `memory.ts` is a folder's door and has a row above. */
export const coreEntries: readonly string[] = [
  "index.ts",
  "hosts.ts",
  "back-office.ts",
  "store-refunds.ts",
  "payment-groups.ts",
  "ledger.ts",
];

/** Entries that keep nothing after the process ends: only these packages may import them, and tests. */
export const entriesForTests: Readonly<Record<string, readonly string[]>> = {
  "@tillkit/core/memory": ["packages/testkit"],
};

/** The only file of core that may use the wall clock, timers and randomness. */
export const coreSystemFile = "packages/core/src/system.ts";

/** The largest number of lines of a file. The first pattern that matches its path counts. */
export const maxLines: readonly { readonly path: RegExp; readonly lines: number }[] = [
  { path: /^packages\/[^/]+\/src\/(?:.*\/)?texts(?:\.ts$|\/)/, lines: 400 },
  { path: /^packages\/(?!testkit\/|sandbox\/)[^/]+\/src\//, lines: 300 },
  { path: /\.m?ts$/, lines: 400 },
];
