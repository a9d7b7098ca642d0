import { createServiceClient } from "@tillkit/client";
import { EVENT_NAMES } from "@tillkit/client/webhooks";
import { z } from "zod";
import { parseDuration } from "../../command-line/parse-number.ts";
import { isoTime } from "../../options/row-options.ts";
import { controlOf, readSandboxKey, type SandboxControl, textOf } from "../../options/sandbox-control.ts";
import { addFault, FAULT_NAMES, NAMED_FAULTS, readFaults, removeFaults } from "../sandbox/named-faults.ts";
import { scenarios } from "../sandbox/trigger-scenarios.ts";
import { sessionInput } from "./inputs.ts";
import { type Tool, tool } from "./tool.ts";

/**
 * The tools that control a sandbox on this machine, with the sandbox's own test key: no key of a person is read.
 * @param baseUrl the address of a sandbox, which the caller has found to be on this machine
 */
export function sandboxTools(baseUrl: string): readonly Tool[] {
  const control = controlOf(baseUrl);
  return [...sessionTools(control, baseUrl), ...serviceTools(control, baseUrl)];
}

function sessionTools(control: SandboxControl, baseUrl: string): readonly Tool[] {
  return [
    tool({
      name: "create_session",
      description: "Open a checkout session in the sandbox: no order of a shop is involved.",
      input: z.object({
        amount: z
          .int()
          .min(1)
          .max(1_000_000_000)
          .describe("in the service's unit: 5000 for 5,000 F CFA, 1250 for 12.50 EUR"),
        currency: z.enum(["XOF", "USD", "EUR"]).default("XOF"),
        title: z.string().min(1).max(100).default("Test order"),
      }),
      effect: "sandbox",
      async run({ amount, currency, title }) {
        const client = await openSandboxClient(baseUrl);
        const { data } = await client.checkoutSessions.create({ amount, currency_code: currency, title });
        const { id, url, status, expiresAt } = data;
        return { facts: { session: id, url, status, amount, currency, expires: isoTime(expiresAt) } };
      },
    }),
    tool({
      name: "finish_session",
      description:
        "Pay a session of the sandbox as a shopper would, be declined, leave the payment pending, or let the session expire.",
      input: z.object({
        session: sessionInput,
        outcome: z.enum(["completed", "failed", "pending", "expired"]).default("completed"),
        method: z.enum(["card", "wave", "mtn"]).default("card"),
      }),
      effect: "sandbox",
      async run({ session, outcome, method }) {
        const path = `/checkout-sessions/${encodeURIComponent(session)}`;
        if (outcome === "expired") {
          await control("POST", `${path}/expire`);
          return { facts: { session, status: "expired" } };
        }
        const transaction = await control("POST", `${path}/pay`, { method, outcome });
        const [id, status] = [textOf(transaction, "transaction_id"), textOf(transaction, "status")];
        return { facts: { session, transaction: id, status } };
      },
    }),
  ];
}

function serviceTools(control: SandboxControl, baseUrl: string): readonly Tool[] {
  return [
    tool({
      name: "trigger",
      description:
        "Let the sandbox do what causes an event: a payment, a refund, a dispute or a subscription of its own.",
      input: z.object({ event: z.enum(EVENT_NAMES), session: sessionInput.optional() }),
      effect: "sandbox",
      async run({ event, session }) {
        const client = await openSandboxClient(baseUrl);
        return { facts: { event, ...(await scenarios[event]({ control, client, session: session ?? null })) } };
      },
    }),
    tool({
      name: "clock",
      description:
        "The clock of the sandbox, moved forward where a duration is named. Retries and expiry follow this clock.",
      input: z.object({
        forward: z
          .string()
          .regex(/^\d{1,6}[smhd]$/)
          .optional()
          .describe("such as 90s, 15m, 2h or 7d"),
      }),
      effect: "sandbox",
      async run({ forward }) {
        const move = () => control("POST", "/clock", { advanceMs: parseDuration(forward ?? "") });
        const answer = await (forward === undefined ? control("GET", "/clock") : move());
        return { facts: { now: textOf(answer, "now") } };
      },
    }),
    tool({
      name: "faults",
      description: `Break the sandbox on purpose. ${Object.entries(NAMED_FAULTS)
        .map(([name, { text }]) => `${name}: ${text}`)
        .join(" ")} Without a name: what is set now.`,
      input: z.object({
        add: z.enum(FAULT_NAMES).optional(),
        off: z.boolean().default(false).describe("remove all faults first"),
      }),
      effect: "sandbox",
      async run({ add, off }) {
        if (off) await removeFaults(control);
        const chosen = add === undefined ? undefined : NAMED_FAULTS[add];
        if (chosen) await addFault(control, chosen);
        return { facts: await readFaults(control) };
      },
    }),
  ];
}

async function openSandboxClient(baseUrl: string) {
  return createServiceClient({ apiKey: await readSandboxKey(baseUrl), baseUrl });
}
