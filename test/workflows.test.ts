import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const repository = fileURLToPath(new URL("../", import.meta.url));
const folder = join(repository, ".github", "workflows");
const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const { engines } = JSON.parse(readFileSync(join(repository, "packages/core/package.json"), "utf8"));

describe.each(readdirSync(folder))("the workflow %s", (file) => {
  const text = readFileSync(join(folder, file), "utf8");

  it("every command of the workflow is a command of the repository", () => {
    for (const [, command = ""] of text.matchAll(/^\s+- run: (.+)$/gm)) {
      const script = /^npm run ([a-z:]+)$/.exec(command)?.[1];
      if (script === undefined) expect(existsSync(join(repository, command))).toBe(true);
      else expect(scripts).toHaveProperty(script);
    }
  });

  it("every workflow that the workflow calls exists", () => {
    for (const [, path = ""] of text.matchAll(/uses: \.\/(\S+)/g))
      expect(existsSync(join(repository, path))).toBe(true);
  });

  it("the workflow may only read the repository, except to identify itself to npm", () => {
    expect(text).toContain("permissions:\n  contents: read\n");
    expect(text.match(/\w[\w-]*: write/g) ?? []).toEqual(file === "release.yml" ? ["id-token: write"] : []);
    expect(text).not.toMatch(/secrets\./);
  });
});

describe("the workflows together", () => {
  it("the checks run on every version of Node that the packages allow", () => {
    const [, list = ""] = /node: \[(.+)\]/.exec(readFileSync(join(folder, "check.yml"), "utf8")) ?? [];
    expect(list.split(", ").map(Number)).toEqual([20, 22, 24]);
    expect(engines.node).toBe("^20.19.0 || >=22.12.0");
  });

  it("nothing is published before everything was checked", () => {
    const text = readFileSync(join(folder, "release.yml"), "utf8");
    expect(text).toMatch(/check:\n\s+uses: \.\/\.github\/workflows\/check\.yml\n/);
    expect(text).toMatch(/publish:\n\s+needs: check\n/);
  });
});
