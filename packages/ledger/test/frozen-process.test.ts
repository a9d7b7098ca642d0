import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signWebhook } from "@tillkit/client/webhooks";
import { createEngine, type Ledger, receiveWebhook, silentLog, systemClock, systemRandom } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { expect, it } from "vitest";
import { bundleProgram } from "../../../test/programs/bundle-program.ts";

const SECRET = "whsec_test";
const PROGRAM = new URL("../../sql/test/programs/hold-lock.ts", import.meta.url);

function engineOn(ledger: Ledger) {
  return createEngine({
    ledger,
    tenants: {
      credentialFor: async () => ({ id: "key", account: null }),
      service: () => Promise.reject(new Error("This test calls no service.")),
      endpoint: async () => ({ secrets: [SECRET], credentialIds: ["key"], environment: "test" }),
    },
    store: () => Promise.reject(new Error("This test has no store.")),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    referenceKeys: ["a reference key of the tests, which is long enough"],
    returnUrls: () => ({ success: "https://shop.example/return", cancel: "https://shop.example/cancel" }),
  });
}

it("while another process is frozen inside its transaction, a webhook is answered 503 and pages still read the ledger", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-frozen-"));
  const url = `sqlite:${join(folder, "ledger.db")}`;
  const ledger = await openLedger(url);
  const program = await bundleProgram(PROGRAM);
  const neighbour = fork(program.file, [url], { execArgv: [] });
  try {
    const engine = engineOn(ledger);
    const bytes = new TextEncoder().encode('{"id":"evt_1","event":"PAYMENT_SUCCEEDED","data":{}}');
    const webhook = { endpointId: "main", bytes, signature: signWebhook(bytes, SECRET) };
    await once(neighbour, "message");
    neighbour.kill("SIGSTOP");
    const order: string[] = [];
    const refused = receiveWebhook(engine, webhook).finally(() => order.push("webhook"));
    for (let page = 0; page < 20; page += 1) {
      await systemClock.sleep(10);
      expect(await ledger.find({ id: "p1" })).toBeNull();
      order.push("page");
    }
    expect(await refused).toMatchObject({ status: 503, code: "storage_failed" });
    expect(order).toEqual([...Array(20).fill("page"), "webhook"]);
    const repeated = receiveWebhook(engine, webhook);
    neighbour.kill("SIGKILL");
    expect(await repeated).toMatchObject({ status: 200 });
    expect((await ledger.listDeliveries({ limit: 9 })).rows).toHaveLength(1);
  } finally {
    neighbour.kill("SIGKILL");
    await ledger.close();
    await program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
