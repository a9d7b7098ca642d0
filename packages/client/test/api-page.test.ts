import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Endpoint, endpoints } from "../src/api/endpoints.ts";

const IDEMPOTENCY = { required: "required", optional: "optional", none: "" } as const;
const packages = join(import.meta.dirname, "../..");
const page = readFileSync(join(import.meta.dirname, "../API.md"), "utf8");

function row(id: string, endpoint: Endpoint): string {
  const { clientMethod, method, path, idempotency, capabilities, rateLimit } = endpoint;
  const granted = capabilities === null ? "" : capabilities.map((name) => `\`${name}\``).join(" or ");
  return `| \`${clientMethod}\` | \`${method} ${path}\` | ${IDEMPOTENCY[idempotency]} | ${granted} | ${rateLimit} | \`${id}\` |`;
}

const list = `<!-- calls -->
| client method | request | Idempotency-Key | Service-Account | rate limit | operation ID |
|---|---|---|---|---|---|
${Object.entries(endpoints)
  .map(([id, endpoint]) => row(id, endpoint))
  .join("\n")}
<!-- end of calls -->`;

/** The headings that comments link to as `API.md#heading`, with the files that do. */
function linkedHeadings(): Map<string, string> {
  const sources = readdirSync(packages, { recursive: true, encoding: "utf8" }).filter(
    (file) => /^\w+\/src\/.*\.tsx?$/.test(file) && !file.includes("node_modules"),
  );
  const links = sources.flatMap((file) =>
    [...readFileSync(join(packages, file), "utf8").matchAll(/API\.md#([\w-]+)/g)].map(
      (link) => [link[1] ?? "", file] as const,
    ),
  );
  return new Map(links);
}

describe("API.md", () => {
  test("API.md lists every row of the endpoint table", async () => {
    const expected = page.replace(/<!-- calls -->[\s\S]*<!-- end of calls -->/, () => list);
    expect(expected).toContain(list);
    await expect(expected).toMatchFileSnapshot("../API.md");
  });

  test("API.md has every heading that a comment links to", () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(" ", "-"),
    );
    const linked = linkedHeadings();
    expect(linked.size).toBeGreaterThan(5);
    for (const [heading, file] of linked) expect(headings, `${file} links to API.md#${heading}`).toContain(heading);
  });
});
