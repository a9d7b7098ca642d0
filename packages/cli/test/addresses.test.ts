import { settingsFollowAddressRule } from "../../../test/addresses/address-rule.ts";
import type { CommandLine } from "../src/command-line/command.ts";
import { checkAddress } from "../src/commands/doctor/check-server.ts";
import { parseServer } from "../src/commands/doctor/server.ts";
import { resolveServiceUrl } from "../src/options/service-option.ts";

const commandLine = (values: Readonly<Record<string, string>>): CommandLine => ({
  positionals: [],
  values: new Map(Object.entries(values)),
  lists: new Map(),
  flags: new Set(),
});

// The doctor examines a server over plain http too, and reports that it is not encrypted.
async function examineServer(server: string): Promise<void> {
  const { status, message } = await checkAddress(await parseServer(commandLine({ server })));
  if (status !== "ok") throw new Error(message);
}

settingsFollowAddressRule([
  ["--service", "base", (service) => resolveServiceUrl(commandLine({ service }))],
  ["--server", "base", examineServer],
]);
