import { createServiceClient } from "@tillkit/client";
import { z } from "zod";
import type { LedgerAddress } from "../../options/ledger-option.ts";
import { readSandboxKey } from "../../options/sandbox-control.ts";
import type { Check } from "../doctor/check.ts";
import { checkLedger } from "../doctor/check-ledger.ts";
import { checkServer } from "../doctor/check-server.ts";
import { checkService } from "../doctor/check-service.ts";
import { type Tool, tool } from "./tool.ts";

/** What the doctor looks at: addresses that the person who started the program named. */
export type DoctorTargets = {
  readonly server: string | null;
  readonly sandbox: string | null;
  readonly ledger: LedgerAddress | null;
};

/** The checks of `tillkit doctor` that only read: no test event is sent, and no service but a sandbox is asked. */
export function doctorTool(targets: DoctorTargets): Tool {
  return tool({
    name: "doctor",
    description:
      "Check the running server, its ledger, and with a sandbox its webhook endpoints; says what to fix. Only reads.",
    input: z.object({}),
    effect: "looks",
    async run() {
      const rows: object[] = [];
      for await (const { check, status, message } of checksOf(targets))
        rows.push({ check, status, untrusted: { message } });
      return { rows };
    },
  });
}

async function* checksOf({ server, sandbox, ledger }: DoctorTargets): AsyncGenerator<Check> {
  if (server !== null) yield* checkServer(server);
  if (server !== null && sandbox !== null) {
    const client = createServiceClient({ apiKey: await readSandboxKey(sandbox), baseUrl: sandbox });
    yield* checkService(client, server, "reading");
  }
  if (ledger !== null) yield* checkLedger(ledger);
}
