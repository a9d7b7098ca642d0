import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Endpoint, endpoints } from "../src/api/endpoints.ts";

const IDEMPOTENCY = { required: "required", optional: "optional", none: "" } as const;
const page = readFileSync(join(import.meta.dirname, "../API.md"), "utf8");

function row(id: string, endpoint: Endpoint): string {
  const { clientMethod, method, path, idempotency, capabilities, rateLimit } = endpoint;
  const accepted = capabilities === null ? "" : capabilities.map((name) => `\`${name}\``).join(" or ");
  return `| \`${clientMethod}\` | \`${method} ${path}\` | ${IDEMPOTENCY[idempotency]} | ${accepted} | ${rateLimit} | \`${id}\` |`;
}

const list = `<!-- calls -->
| client method | request | Idempotency-Key | Service-Account | rate limit | operation ID |
|---|---|---|---|---|---|
${Object.entries(endpoints)
  .map(([id, endpoint]) => row(id, endpoint))
  .join("\n")}
<!-- end of calls -->`;

describe("API.md", () => {
  test("API.md lists every row of the endpoint table", async () => {
    const expected = page.replace(/<!-- calls -->[\s\S]*<!-- end of calls -->/, () => list);
    expect(expected).toContain(list);
    await expect(expected).toMatchFileSnapshot("../API.md");
  });
});
