import type { ServiceWebhookEndpoint } from "@tillkit/client";
import { EVENT_NAMES, type EventName } from "@tillkit/client/webhooks";
import type { CommandLine } from "../../command-line/command.ts";
import { printJson } from "../../command-line/print-rows.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { UsageError } from "../../command-line/usage-error.ts";

/** Prints an endpoint, and its secret when the response has one: the service shows it only once. */
export function printEndpoint(endpoint: ServiceWebhookEndpoint, json: boolean, terminal: Terminal): void {
  const { id, url, environment, authorizedEvents, isActive, secret } = endpoint;
  if (json) {
    const row = { id, url, environment, active: isActive, events: authorizedEvents };
    printJson(terminal, { ...row, ...(secret === undefined ? {} : { secret }) });
    return;
  }
  terminal.log(`${id}  ${environment}  ${url}${isActive === false ? "  (off)" : ""}`);
  terminal.log(`Events: ${authorizedEvents?.join(", ")}.`);
  if (secret !== undefined) terminal.log(`Secret, shown only once:\n${secret}`);
}

/** The values of `--event`; null when there is none. @throws UsageError for a name that the service does not have */
export function parseEvents({ lists }: CommandLine): EventName[] | null {
  const names = lists.get("event");
  return names === undefined ? null : names.map(parseEventName);
}

export function parseEventName(name: string): EventName {
  const known = EVENT_NAMES.find((event) => event === name);
  if (known) return known;
  throw new UsageError(`There is no event "${name}": use one of ${EVENT_NAMES.join(", ")}.`);
}
