import { describe, expect, it } from "vitest";
import { type Endpoint, endpoints } from "../src/api/endpoints.ts";

const RULES = { required: "required", optional: "optional", none: "" } as const;

function row(id: string, endpoint: Endpoint): string {
  const { call, method, path, idempotency, capabilities, rate } = endpoint;
  const granted = capabilities === null ? "" : capabilities.map((name) => `\`${name}\``).join(" or ");
  return `| \`${call}\` | \`${method} ${path}\` | ${RULES[idempotency]} | ${granted} | ${rate} | \`${id}\` |`;
}

const page = `# The service's API, call by call

Written from the endpoint table, [\`src/endpoints.ts\`](src/endpoints.ts), from which the client's methods, the sandbox's routes and its OpenAPI
document come as well. A test keeps this page equal to it (\`vitest run packages/client -u\` writes it anew).

*Idempotency-Key*: whether the call takes one. *Service-Account*: the capability an Operator needs to act for a Member Account; where the
column is empty the service refuses the header. *Rate*: which limit the call counts towards.

| call | request | Idempotency-Key | Service-Account | rate | operation id |
|---|---|---|---|---|---|
${Object.entries(endpoints)
  .map(([id, endpoint]) => row(id, endpoint))
  .join("\n")}
`;

describe("the page of the API", () => {
  it("says what the endpoint table says", async () => {
    await expect(page).toMatchFileSnapshot("../API.md");
  });
});
