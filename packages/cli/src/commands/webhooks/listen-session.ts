import process from "node:process";
import type { CommandLine } from "../../command-line/command.ts";
import { parseCount } from "../../command-line/parse-number.ts";
import { stopSignal } from "../../command-line/stop-signal.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { type ForwardResult, forward, forwardedLine, type IncomingWebhook } from "./forward.ts";

/** What both ways of listening share. */
export type ListenSession = {
  readonly target: string;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C, or when `--count` is reached. */
  readonly stopped: AbortSignal;
  readonly json: boolean;
  /** Forwards one webhook and prints the answer. */
  deliver(incoming: IncomingWebhook): Promise<ForwardResult>;
  /** Prints that webhooks are forwarded from now on. */
  ready(facts: { readonly endpoint: string; readonly secret: string | null }): void;
};

export function createSession(args: CommandLine, target: string, terminal: Terminal): ListenSession {
  const json = args.flags.has("json");
  const ownSecret = process.env.SERVICE_WEBHOOK_SECRET || null;
  const countText = args.values.get("count");
  const count = countText === undefined ? null : parseCount("count", countText, 1_000_000);
  const countReached = new AbortController();
  const stopped = AbortSignal.any([stopSignal(), countReached.signal]);
  let deliveredCount = 0;
  return {
    target,
    terminal,
    stopped,
    json,
    async deliver(incoming) {
      const forwarded = await forward(target, incoming, ownSecret);
      const { parseEvent } = await import("@tillkit/client/webhooks");
      const event = parseEvent(incoming.bytes);
      const name = String(event?.event ?? "unreadable");
      const id = event?.id ?? "–";
      const row = { at: new Date().toISOString(), event: name, id, ...forwarded, bytes: incoming.bytes.length };
      terminal.log(json ? JSON.stringify(row) : forwardedLine(name, id, forwarded));
      deliveredCount += 1;
      if (deliveredCount === count) countReached.abort();
      return forwarded;
    },
    ready({ endpoint, secret }) {
      const shownSecret = ownSecret === null ? secret : null;
      if (json) {
        terminal.log(JSON.stringify({ ready: true, endpoint, target, secret: shownSecret }));
        return;
      }
      terminal.notice(`Forwarding the webhooks of ${endpoint} to ${target}. Press Ctrl-C to stop.`);
      if (ownSecret !== null) terminal.notice("They are signed with SERVICE_WEBHOOK_SECRET, as your server expects.");
      else if (shownSecret !== null)
        terminal.notice(`Your server needs this webhook secret as long as this runs: ${shownSecret}`);
    },
  };
}
