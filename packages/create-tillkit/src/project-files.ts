import packageJson from "../package.json" with { type: "json" };
import type { Choices, Host } from "./choices.ts";
import { newAdapterTemplate } from "./template.ts";

/** Our packages that the project needs when it runs and only while it is developed, without their scope. */
export const ownPackages = {
  used: ["client", "core", "ledger", "server"],
  toDevelop: ["cli", "sandbox", "testkit"],
} as const;

/** The third-party packages that each host needs. */
const HOST_PACKAGES: Readonly<Record<Host, readonly string[]>> = {
  express: ["express"],
  fastify: ["@hono/node-server", "fastify", "hono"],
  hono: ["@hono/node-server", "hono"],
  node: ["@hono/node-server", "hono"],
};

const HOST_NAMES: Readonly<Record<Host, string>> = {
  express: "Express",
  fastify: "Fastify",
  hono: "Hono",
  node: "plain Node",
};

const AGENT_FILES = ["AGENTS.md", "CLAUDE.md"];

/** The files of a new project by path. */
export function projectFiles(
  choices: Pick<Choices, "name" | "host" | "packages" | "agents">,
): ReadonlyMap<string, string> {
  const files = Object.entries(newAdapterTemplate.files)
    .filter(([path]) => !path.startsWith("src/hosts/") || path === `src/hosts/${choices.host}.ts`)
    .filter(([path]) => choices.agents || !AGENT_FILES.includes(path))
    .map(([path, text]): [string, string] => [projectPath(path), fillIn(path, text, choices)]);
  return new Map([
    ...files,
    ["package.json", json(manifestOf(choices))],
    ["tsconfig.json", json(typescriptSettings)],
    ["vitest.config.ts", testSettings],
    ["src/check-node.mjs", nodeCheck],
    [".gitignore", "node_modules\n.data\n"],
  ]);
}

/** A project has one host, so it needs no folder of hosts. */
function projectPath(path: string): string {
  return path.startsWith("src/hosts/") ? "src/host.ts" : path;
}

function fillIn(path: string, text: string, { name, host }: Pick<Choices, "name" | "host">): string {
  const filledIn = text.replaceAll("json-file-shop", name).replaceAll("hosts/express.ts", "host.ts");
  if (path === "README.md") return filledIn.replace(/\n<!-- repository-only -->[\s\S]*$/, `\n${hostNote(host)}`);
  // The file of the host moves up by one folder.
  return path.startsWith("src/hosts/") ? filledIn.replaceAll('from "../', 'from "./') : filledIn;
}

function hostNote(host: Host): string {
  return `The shop runs on ${HOST_NAMES[host]}. Only the file \`src/host.ts\` depends on this choice.\n`;
}

function manifestOf({ name, host, packages }: Pick<Choices, "name" | "host" | "packages">): object {
  const { versions } = newAdapterTemplate;
  const versionsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, versions[name]]));
  // A folder of tarballs has its own program, which adds our packages to the manifest.
  const ownVersionsOf = (names: readonly string[]) =>
    packages === null ? Object.fromEntries(names.map((name) => [`@tillkit/${name}`, packageJson.version])) : {};
  return {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: packageJson.engines.node },
    scripts: {
      prestart: "node src/check-node.mjs",
      start: "tsx src/start.ts",
      pretest: "node src/check-node.mjs",
      test: "vitest run",
      types: "tsc",
    },
    dependencies: { ...ownVersionsOf(ownPackages.used), ...versionsOf([...HOST_PACKAGES[host], "tsx"]) },
    devDependencies: {
      ...ownVersionsOf(ownPackages.toDevelop),
      ...versionsOf(host === "express" ? ["@types/express"] : []),
      ...versionsOf(["@types/node", "typescript", "vitest"]),
    },
  };
}

const typescriptSettings = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023"],
    module: "ESNext",
    moduleResolution: "Bundler",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["src", "test", "vitest.config.ts"],
};

const nodeCheck = `import process from "node:process";

// An older Node.js could not load the packages, and would say why in words that help nobody.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  console.error(\`This shop needs Node 20.19, 22.12 or newer: this is Node \${process.versions.node}.\`);
  process.exit(1);
}
`;

const testSettings = `import { defineConfig } from "vitest/config";

export default defineConfig({ test: { testTimeout: 20_000 } });
`;

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
