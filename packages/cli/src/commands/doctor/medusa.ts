import type { CommandLine } from "../../command-line/command.ts";
import { ledgerUrl } from "../../options/ledger-option.ts";
import { openService } from "../../options/service-option.ts";
import { ask } from "./ask.ts";
import { type Check, careful, good } from "./check.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkAddress, clockCheck, noAnswer } from "./check-server.ts";
import { checkService } from "./check-service.ts";
import { checkWebhookRoute } from "./check-webhook-route.ts";
import { parseServer } from "./server.ts";

const ROUTE_ADVICE = {
  404: "medusa-config.ts lacks the entry of the plugin @tillkit/medusa under plugins, or the address is not Medusa's",
  503: "the plugin does not reach its tables, or a body parser reads webhooks first; Medusa's log says which",
};

/** Checks a Medusa with the plugin from outside, and the plugin's ledger, which is in Medusa's database. */
export async function* medusaChecks(args: CommandLine): AsyncGenerator<Check> {
  const server = await parseServer(args);
  yield await checkAddress(server);
  const health = await ask(`${server}/health`);
  if (health === null) yield noAnswer(server);
  else {
    yield health.status === 200
      ? good("health", "/health: Medusa works.")
      : careful("health", `/health answers ${health.status}: Medusa's own routes are not at this address.`);
    yield clockCheck(health.date);
    const webhookUrl = args.values.get("webhook") ?? `${server}/tillkit/webhooks/medusa`;
    yield await checkWebhookRoute(webhookUrl, ROUTE_ADVICE);
  }
  const client = await openService(args);
  if (client === null)
    yield careful(
      "endpoint",
      "The service's webhook endpoints were not checked: add --service <url> or --profile <name>.",
    );
  else for await (const { url: _url, ...check } of checkService(client, server)) yield check;
  const url = ledgerUrl(args);
  if (url === undefined)
    yield careful("ledger", "The ledger was not checked: add --ledger <address of Medusa's database>.");
  else yield* checkLedger({ url, schema: args.values.get("schema") ?? "tillkit" });
}
