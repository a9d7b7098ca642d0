import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "../src/folders.ts";
import { inclusionsOf, regionOf } from "./inclusions.ts";
import { writtenPages } from "./read-site.ts";
import { isPaid, openClient, openHostedPage, receiveWebhook, refund } from "./samples/client-sample.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.close());

const order = { id: "1042", total: 25_000 };
const newClient = () => openClient(sandbox.keys.test.secret, sandbox.baseUrl);

/** Writes client.ts as a reader has it at the end of the section "Try it". Returns the path of the file. */
async function writeProgram(): Promise<string> {
  const page = writtenPages().get("quick-start/client.md") ?? "";
  const [upToTryIt = ""] = page.split("## Receive a webhook");
  const samples = inclusionsOf("quick-start/client.md", upToTryIt).map(({ file, region }) =>
    regionOf(readFileSync(join(repository, file), "utf8"), region ?? ""),
  );
  expect(samples).toHaveLength(4);
  const folder = join(repository, "packages/docs/node_modules/.cache/client-program");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "client.ts"), samples.join("\n"));
  return join(folder, "client.ts");
}

describe("the samples of the quick start for the client alone", () => {
  it('the samples up to "Try it" make a program that ends when its hosted page is paid', async () => {
    const script = await writeProgram();
    const settings = { SERVICE_SECRET_KEY: sandbox.keys.test.secret, SERVICE_BASE_URL: sandbox.baseUrl };
    const program = spawn(process.execPath, ["--conditions=@tillkit/source", "--import", "tsx", script], {
      env: { ...process.env, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    program.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    await expect.poll(() => output).toMatch(/Open http\S+ and pay/);
    const page = new URL(/Open (\S+)/.exec(output)?.[1] ?? "");
    await sandbox.control.paySession(page.pathname.split("/").at(-1) ?? "", { method: "card", outcome: "completed" });
    const [code] = await once(program, "close");
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/is paid\.\n$/) });
  });

  it("an order counts as paid after its shopper has paid on the hosted page, and not before", async () => {
    const { sessionId, url } = await openHostedPage(newClient(), order, 1);
    expect(url).toMatch(/^http/);
    expect(await isPaid(newClient(), sessionId, order.total)).toBe(false);
    await sandbox.control.paySession(sessionId, { method: "card", outcome: "completed" });
    expect(await isPaid(newClient(), sessionId, order.total)).toBe(true);
    expect(await isPaid(newClient(), sessionId, order.total + 1)).toBe(false);
  });

  it("two calls for the same attempt open one session", async () => {
    const first = await openHostedPage(newClient(), order, 7);
    const second = await openHostedPage(newClient(), order, 7);
    expect(second.sessionId).toBe(first.sessionId);
  });

  it("a refund that is clicked twice sends money back once", async () => {
    const { sessionId } = await openHostedPage(newClient(), order, 2);
    await sandbox.control.paySession(sessionId, { method: "card", outcome: "completed" });
    const paid = await newClient().transactions.list({ status: "completed" }).toArray({ limit: 1 });
    const transaction = paid[0]?.id ?? "";
    const firstRefund = await refund(newClient(), transaction, 5_000, "1042:a");
    const secondRefund = await refund(newClient(), transaction, 5_000, "1042:a");
    expect(secondRefund).toBe(firstRefund);
    const refunds = await newClient().refunds.list().toArray({ limit: 10 });
    expect(refunds.filter(({ transactionId }) => transactionId === transaction)).toHaveLength(1);
  });

  it("a webhook that the service signed names its session, and a forged webhook is refused", () => {
    const secret = "whsec_of_this_test";
    const body = {
      id: "0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11",
      event: "PAYMENT_SUCCEEDED",
      timestamp: "2026-01-31T10:00:00Z",
    };
    const bytes = Buffer.from(
      JSON.stringify({ ...body, data: { checkout_session_id: "cs_1" }, service_environment: "test" }),
    );
    const signature = createHmac("sha256", secret).update(bytes).digest("hex");
    expect(receiveWebhook(bytes, signature, secret)).toEqual({ status: 200, sessionId: "cs_1" });
    expect(receiveWebhook(bytes, signature, "whsec_another")).toMatchObject({ status: 401 });
    expect(receiveWebhook(bytes, undefined, secret)).toMatchObject({ status: 401 });
  });
});
