import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { storeAdapterRules } from "@tillkit/testkit";
import { projectFiles } from "create-tillkit";
import { describe, expect, it } from "vitest";
import { packageDocs, packagesWithDocs } from "../packaging/package-docs.ts";

const root = join(import.meta.dirname, "..");
const project = projectFiles({ name: "my-shop", host: "fastify", packages: null, agents: true });
const guide = project.get("AGENTS.md") ?? "";
const titles = storeAdapterRules.map(({ title }) => title);

/** `@tillkit/core/docs/index.md` exists when the package is packed: in the docs that are made for it, or as a file that it carries. */
function isPacked(path: string): boolean {
  const [, name = "", file = ""] = /^@tillkit\/([a-z-]+)\/(.+)$/.exec(path) ?? [];
  if (file === "dist") return true;
  return file.startsWith("docs/")
    ? packageDocs(name).has(file.replace("docs/", ""))
    : existsSync(join(root, "packages", name, file));
}

describe("what a new shop tells a developer's assistant", () => {
  it("the guide is at most 6 kB long, and the second file is one line that points to it", () => {
    expect(Buffer.byteLength(guide)).toBeGreaterThan(3_000);
    expect(Buffer.byteLength(guide)).toBeLessThanOrEqual(6_000);
    expect(project.get("CLAUDE.md")).toBe("@AGENTS.md\n");
  });

  it("every path that the guide names exists in the new shop, or in the packages as npm gets them", () => {
    const paths = [...guide.matchAll(/`((?:node_modules|src|test)\/[^`]*|[A-Za-z]+\.md)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(paths.length).toBeGreaterThan(20);
    const exists = (path: string) =>
      path.startsWith("node_modules/") ? isPacked(path.slice("node_modules/".length)) : isInProject(path);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  it("every command that the guide names exists", () => {
    const { scripts, devDependencies } = JSON.parse(project.get("package.json") ?? "");
    const commands = [...guide.matchAll(/`(npm|npx) ([^`]+)`/g)].map(
      ([, runner, rest = ""]) => [runner, rest] as const,
    );
    expect(commands.length).toBeGreaterThan(5);
    for (const [runner, rest] of commands) {
      const [program = "", ...args] = rest.split(" ");
      if (runner === "npm") expect(Object.keys(scripts)).toContain(program === "run" ? args[0] : program);
      else if (program === "vitest")
        expect([devDependencies.vitest, project.has(args[1] ?? "")]).toEqual([expect.any(String), true]);
      else expect(readFileSync(join(root, "packages/cli/README.md"), "utf8")).toContain(`\`${args[0]}\``);
    }
  });

  it("each of the ten rules is proven by a rule of the contract with exactly this title", () => {
    const [, rules = ""] = /^## Ten rules.*\n\n((?:\d+\. .*\n)+)/m.exec(guide) ?? [];
    const named = rules
      .trimEnd()
      .split("\n")
      .map((line) => /"([^"]+)"$/.exec(line)?.[1] ?? line);
    expect(named).toHaveLength(10);
    expect(named.filter((title) => !titles.includes(title))).toEqual([]);
  });
});

describe("the documentation inside the packages", () => {
  it.each(["core", "testkit"])("the index of @tillkit/%s is at most 8 kB long and leads to every page", (name) => {
    const docs = packageDocs(name);
    const index = docs.get("index.md") ?? "";
    expect(Buffer.byteLength(index)).toBeLessThanOrEqual(8_000);
    const pages = [...docs.keys()].filter((page) => page !== "index.md");
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  });

  it("the lines that an index names are those at which the parts begin", () => {
    const docs = packageDocs("core");
    const [, lines = ""] = /\]\(handbook\.md\)\n\n.*Lines: (.*)/.exec(docs.get("index.md") ?? "") ?? [];
    const handbook = (docs.get("handbook.md") ?? "").split("\n");
    const parts = lines.split(" · ").map((part) => /^(\d+) (.+)$/.exec(part) ?? []);
    expect(parts.length).toBeGreaterThan(8);
    for (const [, line, heading] of parts) expect(handbook[Number(line) - 1]).toBe(`## ${heading}`);
  });

  it.each(packagesWithDocs)(
    "a page of @tillkit/%s needs no site: nothing is left to include, and its links lead to pages",
    (name) => {
      const docs = packageDocs(name);
      for (const [page, text] of docs) {
        expect([page, text.match(/^<<<|@include|#(?:end)?region|\]\(\//m)?.[0]]).toEqual([page, undefined]);
        const targets = [...text.matchAll(/\]\(([\w./-]+\.md)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
        expect([page, targets.filter((target) => !docs.has(join(page, "..", target)))]).toEqual([page, []]);
      }
    },
  );

  it("a rule that an adapter violates names a page that @tillkit/core carries", () => {
    expect(storeAdapterRules.filter(({ page }) => !isPacked(page))).toEqual([]);
  });

  it("the page of the rules has every rule with its advice", () => {
    const rules = packageDocs("testkit").get("rules.md") ?? "";
    expect(storeAdapterRules.filter(({ title, advice }) => !(rules.includes(title) && rules.includes(advice)))).toEqual(
      [],
    );
  });
});

function isInProject(path: string): boolean {
  return project.has(path) || [...project.keys()].some((file) => file.startsWith(path));
}
