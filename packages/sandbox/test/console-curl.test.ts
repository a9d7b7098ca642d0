import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { openPage } from "./open-console.ts";
import { type ApiResponse, api, openSandbox, order } from "./open-sandbox.ts";

describe("the curl command on the page of a request", () => {
  it("the command sends the same request again when a shell runs it", async () => {
    const sandbox = await openSandbox();
    // The command hides the paths of return addresses, so a request with them could not be sent again.
    const { success_url: _, cancel_url: __, ...orderWithoutUrls } = order;
    const body = { ...orderWithoutUrls, title: `L'ordre "$HOME" \`x\` \\ !` };
    const first = await api(sandbox, "POST /v1/checkout-sessions", { headers: { "Idempotency-Key": "it's 1" }, body });
    const again = await send(await argumentsOf(await commandFor(sandbox, first), sandbox.keys.test.secret));
    expect([again.status, await again.json()]).toEqual([201, first.json]);
    expect(again.headers.get("idempotency-cache-hit")).toBe("true");
  });

  it("the command hides the key, e-mail addresses and the path of return addresses", async () => {
    const sandbox = await openSandbox();
    const session = await api(sandbox, "POST /checkout-sessions", {
      body: { ...order, customer_email: "awa@example.test" },
    });
    const command = await commandFor(sandbox, session);
    expect(command).toContain('-H "X-API-Key: $API_KEY"');
    expect(command).toContain('"customer_email": "[hidden]"');
    expect(command).toContain("https://shop.example/…");
    expect(command).not.toContain(sandbox.keys.test.secret);
    const list = await api(sandbox, "GET /customers?search=awa@example.test&limit=5");
    expect(await commandFor(sandbox, list)).toContain(
      `curl '${sandbox.baseUrl}/customers?search=%5Bhidden%5D&limit=5' \\\n`,
    );
  });
});

async function commandFor(sandbox: Sandbox, { headers }: ApiResponse): Promise<string> {
  const { text } = await openPage(sandbox, `/requests/${headers.get("x-request-id")}`);
  const characters: Record<string, string> = { quot: '"', "#39": "'", lt: "<", gt: ">", amp: "&" };
  const shown = /<pre id="curl">(.*?)<\/pre>/s.exec(text)?.[1] ?? "";
  return shown.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => characters[name] ?? "");
}

/** What a shell passes to curl, which may be missing on the machine that runs this test. */
async function argumentsOf(command: string, key: string): Promise<readonly string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { env: { API_KEY: key } });
  return stdout.split("\0").slice(0, -1);
}

async function send(curlArguments: readonly string[]): Promise<Response> {
  const valuesOf = (option: string) => curlArguments.filter((_, index) => curlArguments[index - 1] === option);
  const headers = valuesOf("-H").map((line): [string, string] => {
    const colon = line.indexOf(": ");
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const url = curlArguments.find((text) => text.startsWith("http")) ?? "";
  return fetch(url, { method: valuesOf("-X")[0] ?? "GET", headers, body: valuesOf("-d")[0] ?? null });
}
