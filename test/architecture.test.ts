import { describe, expect, it } from "vitest";
import { findViolations } from "./architecture/find-violations.ts";
import { readWorkspace, type Workspace } from "./architecture/workspace.ts";

describe("the architecture", () => {
  it("every file of the repository keeps the architecture", () => {
    const workspace = readWorkspace();
    expect(workspace.size).toBeGreaterThan(100);
    expect(findViolations(workspace)).toEqual([]);
  });

  it("a small workspace that keeps every rule has no violations", () => {
    expect(findViolations(workspaceWith({}))).toEqual([]);
  });
});

describe("a violation of the architecture", () => {
  const breaches: readonly [title: string, path: string, text: string, message: RegExp][] = [
    [
      "an import of a host in core",
      core("confirm/pay.ts"),
      'import { x } from "@tillkit/server";',
      /may import only client of ours/,
    ],
    [
      "an import of the engine in the sandbox",
      "packages/sandbox/src/pay.ts",
      'import { x } from "@tillkit/core";',
      /may import only client, sql, styles of ours/,
    ],
    [
      "an import of the testkit in a shipped file",
      "packages/server/src/x.ts",
      'import type { x } from "@tillkit/testkit";',
      /only core, client, runtime, styles of ours/,
    ],
    [
      "the memory ledger in a server",
      "packages/server/src/x.ts",
      'import { createMemoryLedger } from "@tillkit/core/memory";',
      /which is for tests/,
    ],
    [
      "the memory ledger in core's main entry",
      core("index.ts"),
      'export { createMemoryLedger } from "./memory-ledger/memory-ledger.ts";',
      /has an entry of its own/,
    ],
    [
      "a dynamic import",
      core("confirm/pay.ts"),
      'const x = await import("@tillkit/ledger");',
      /may import only client/,
    ],
    [
      "an inline import of a type",
      core("confirm/pay.ts"),
      'type X = import("@tillkit/ledger").X;',
      /may import only client/,
    ],
    [
      "a file behind another package's exports",
      "packages/server/src/x.ts",
      'import "@tillkit/core/src/index.ts";',
      /not among the exports of @tillkit\/core/,
    ],
    [
      "a path into another package",
      "packages/server/src/x.ts",
      'import { x } from "../../core/src/index.ts";',
      /import the package by its name/,
    ],
    [
      "a test's path into a package",
      "test/journeys/x.test.ts",
      'import { x } from "../../packages/core/src/index.ts";',
      /import the package by its name/,
    ],
    [
      "an import of a library that core may not use",
      core("confirm/pay.ts"),
      'import express from "express";',
      /packages\/core may not import/,
    ],
    [
      "schemas on the client's hot path",
      "packages/client/src/index.ts",
      'export { createClient } from "./create-client.ts";',
      /packages\/client\/src\/index\.ts loads zod by way of packages\/client\/src\/schemas\/session\.ts/,
    ],
    ["an HTTP server in core", core("confirm/pay.ts"), 'import http from "node:http";', /only node:crypto of Node/],
    [
      "a dependency that is not declared",
      "packages/server/src/x.ts",
      'import express from "express";',
      /its package.json does not declare it/,
    ],
    [
      "an import of a use-case in the domain",
      core("domain/pay.ts"),
      'import { x } from "../confirm/pay.ts";',
      /domain may import domain/,
    ],
    [
      "an import of a use-case in a port",
      core("ports/pay.ts"),
      'import type { x } from "../confirm/pay.ts";',
      /ports may import ports, domain/,
    ],
    [
      "an import of the client in the domain",
      core("domain/pay.ts"),
      'import { x } from "@tillkit/client";',
      /domain may not import it/,
    ],
    [
      "a folder of core that the table does not list",
      core("utils/pay.ts"),
      "export const x = 1;",
      /has no row in the table/,
    ],
    ["the wall clock in core", core("domain/pay.ts"), "export const now = Date.now();", /uses Date\.now/],
    ["the current date in core", core("domain/pay.ts"), "export const now = new Date();", /uses new Date\(\)/],
    ["a timer in core", core("confirm/pay.ts"), "setTimeout(() => {}, 1);", /uses setTimeout/],
    [
      "a timer in core by its full name",
      core("confirm/pay.ts"),
      "globalThis.setTimeout(() => {}, 1);",
      /uses setTimeout/,
    ],
    ["a random number in core", core("domain/pay.ts"), "export const x = Math.random();", /uses Math\.random/],
    ["a random UUID in core", core("domain/pay.ts"), 'import { randomUUID } from "node:crypto";', /uses randomUUID/],
    ["an environment variable in core", core("domain/pay.ts"), "export const x = process.env.X;", /uses process/],
    [
      "a re-export outside a public entry",
      "packages/server/src/x/index.ts",
      'export { y } from "./y.ts";',
      /only a public entry/,
    ],
    [
      "an entry that re-exports everything",
      "packages/core/src/index.ts",
      'export * from "./domain/pay.ts";',
      /name what is public/,
    ],
    [
      "another package's names in an entry",
      "packages/server/src/index.ts",
      'export { x } from "@tillkit/core";',
      /another package's names/,
    ],
    ["a file that is too long", core("domain/pay.ts"), "export {};\n".repeat(301), /has 301 lines/],
    ["unfinished work", core("domain/pay.ts"), `// ${"TO"}${"DO"}: later`, /unfinished work/],
    [
      "a path of a developer's machine",
      "README.md",
      `cd ${"/ro"}${"ot/shop"}`,
      /README\.md:1 contains a path of a developer's machine/,
    ],
    [
      "a wait of its own in a test",
      "packages/core/test/x.test.ts",
      `await vi.${"wait"}For(() => expect(paid).toBe(true));`,
      /x\.test\.ts:1 contains a wait that fails on a busy machine/,
    ],
    [
      "a limit of its own in a test",
      "test/journeys/x.test.ts",
      `test("x", { ${"timeout"}: 5_000 }, () => {});`,
      /x\.test\.ts:1 contains a limit that fails on a busy machine/,
    ],
    [
      "a limit of its own at the end of a test",
      "packages/core/test/x.test.ts",
      `test("x", () => {\n}, 5${"_000"});`,
      /x\.test\.ts:2 contains a limit that fails on a busy machine/,
    ],
    [
      "the address of a registry",
      "packages/core/.npmrc",
      `at https://${"regis"}${"try"}.example.org/`,
      /address of a package registry/,
    ],
  ];

  it.each(breaches)("the architecture forbids %s", (_title, path, text, message) => {
    expect(findViolations(workspaceWith({ [path]: text })).join("\n")).toMatch(message);
  });

  const plugin = "packages/woocommerce/wordpress-plugin/tillkit-checkout/orders/paid-by.php";
  const readings: readonly [title: string, path: string, text: string][] = [
    ["compares an error's sentence", core("confirm/pay.ts"), "const isGone = error.message === other.message;"],
    ["compares with words", core("confirm/pay.ts"), 'const isByHand = found === "set to paid by hand";'],
    ["looks for a word in a sentence", "packages/medusa/src/x.ts", 'issue.message.includes("undefined");'],
    ["looks for words in a text", "packages/shopify/src/x.ts", 'if (note.startsWith("Paid by")) pay();'],
    ["searches with a pattern of words", "packages/sql/src/x.ts", "/connection was closed/.test(text);"],
    ["matches a sentence with a pattern", "packages/server/src/x.ts", "const [, id] = /(\\d+)$/.exec(detail) ?? [];"],
    ["splits a sentence", core("jobs/pay.ts"), 'const [code] = String(error.message).split(" ");'],
    ["cuts a sentence", "examples/shop/src/x.ts", "const end = detail.trim().slice(-9);"],
    ["looks a sentence up", "packages/vendure/dashboard/x.tsx", "const french = FRENCH[message];"],
    ["looks a sentence up in a map", "packages/cli/src/x.ts", "const french = texts.get(headline);"],
    ["chooses by a sentence", core("jobs/pay.ts"), "switch (entry.detail) { default: pay(); }"],
    ["chooses by words", core("jobs/pay.ts"), 'switch (text) { case "Order not found": pay(); }'],
    ["compares what a text room explains", core("jobs/pay.ts"), "explainFinding(finding, language) === shown;"],
    ["compares words in PHP", plugin, "if ( 'set to paid by hand' === $note ) {"],
    ["compares an error's sentence in PHP", plugin, "if ( $error->get_error_message() === $last ) {"],
    ["looks for words in PHP", plugin, "return str_contains( $note, 'paid by' );"],
    ["looks a sentence up in PHP", plugin, "return $french[ $message ] ?? $message;"],
  ];

  it.each(readings)("the architecture forbids code that %s", (_title, path, text) => {
    expect(findViolations(workspaceWith({ [path]: text })).join("\n")).toMatch(/:1 reads a sentence: .*facts are data/);
  });

  it.each<[title: string, path: string, text: string]>([
    ["compares in a text room", core("texts/finding-texts.ts"), 'export const x = detail === "set to paid by hand";'],
    ["asks whether there is a sentence", core("jobs/pay.ts"), 'export const x = message !== null && detail !== "";'],
    ["compares a code", core("jobs/pay.ts"), 'export const x = error.code === "not_found";'],
    [
      "makes a sentence",
      core("jobs/pay.ts"),
      'export const x = isGone ? "The order is gone." : "The order is there.";',
    ],
    ["compares in a test", "packages/core/test/x.test.ts", 'expect(message === "The order is gone.").toBe(true);'],
    [
      "makes a sentence in PHP",
      plugin,
      "return null === $message ? __( 'The order is gone.', 'tillkit-checkout' ) : '';",
    ],
  ])("the architecture allows code that %s", (_title, path, text) => {
    expect(findViolations(workspaceWith({ [path]: text })).join("\n")).not.toContain("sentence");
  });

  it("a file that may read a sentence is on the list only as long as it does", () => {
    const path = "packages/sql/src/postgres/postgres-errors.ts";
    const reading = 'export const isLost = (error: Error) => error.message === "Query read timeout";';
    expect(findViolations(workspaceWith({ [path]: reading }))).toEqual([]);
    expect(findViolations(workspaceWith({ [path]: "export const isLost = true;" }))).toEqual([
      `${path} reads no sentence any more: delete it from the list of test/architecture/sentence-rules.ts.`,
    ]);
  });

  it("the architecture forbids a dependency that no file imports", () => {
    const manifest = JSON.stringify({ name: "@tillkit/sql", dependencies: { kysely: "1.0.0" } });
    expect(findViolations(workspaceWith({ "packages/sql/package.json": manifest }))).toEqual([
      "packages/sql depends on kysely but imports it nowhere.",
    ]);
  });

  it("the architecture lets a program contain our packages, with the libraries that they need", () => {
    const manifest = (devDependencies: object, dependencies: object) =>
      workspaceWith({
        "packages/cli/package.json": JSON.stringify({ name: "@tillkit/cli", dependencies, devDependencies }),
        "packages/cli/src/pay.ts": 'import { pay } from "@tillkit/core";\nexport const run = () => pay;',
      });
    expect(findViolations(manifest({ "@tillkit/core": "workspace:*" }, { kysely: "1.0.0" }))).toEqual([]);
    expect(findViolations(manifest({}, { fastify: "1.0.0" }))).toEqual([
      "packages/cli imports @tillkit/core but its package.json does not declare it.",
      "packages/cli depends on fastify but imports it nowhere.",
    ]);
  });

  it("the architecture forbids an entry that is not published", () => {
    const manifest = JSON.stringify({
      name: "@tillkit/sql",
      exports: { ".": { "@tillkit/source": "./src/index.ts" } },
    });
    expect(findViolations(workspaceWith({ "packages/sql/package.json": manifest }))).toEqual([
      "packages/sql must publish its exports, without @tillkit/source.",
    ]);
  });
});

function core(path: string): string {
  return `packages/core/src/${path}`;
}

/** A small repository that keeps every rule, with some files added or changed. */
function workspaceWith(changes: Readonly<Record<string, string>>): Workspace {
  const entry = { ".": { "@tillkit/source": "./src/index.ts" } };
  const manifest = (name: string, ...needs: string[]): string =>
    JSON.stringify({
      name,
      exports: entry,
      publishConfig: { exports: { ".": {} } },
      dependencies: Object.fromEntries(needs.map((need) => [need, "1.0.0"])),
    });
  return new Map(
    Object.entries({
      "packages/client/package.json": manifest("@tillkit/client", "zod"),
      "packages/client/src/index.ts":
        'import type { Session } from "./schemas/session.ts";\nexport type Client = Session;',
      "packages/client/src/create-client.ts":
        'import { session } from "./schemas/session.ts";\nexport const createClient = session;',
      "packages/client/src/schemas/session.ts":
        'import { z } from "zod";\nexport const session = z;\nexport type Session = 1;',
      "packages/core/package.json": manifest("@tillkit/core", "@tillkit/client"),
      "packages/core/src/index.ts": 'export { pay } from "./deliveries/confirm.ts";',
      "packages/core/src/deliveries/confirm.ts":
        'import { verify } from "@tillkit/client";\nimport type { Clock } from "../ports/clock.ts";\nexport const pay = (clock: Clock) => verify(new Date(clock.now()));',
      "packages/core/src/ports/clock.ts": "export interface Clock { now(): number; setTimeout(): void }",
      "packages/core/src/system.ts": "export const clock = { now: () => Date.now() };",
      "packages/server/package.json": manifest("@tillkit/server", "@tillkit/core"),
      "packages/server/src/index.ts": 'import { pay } from "@tillkit/core";\nexport const serve = () => pay;',
      ...changes,
    }),
  );
}
