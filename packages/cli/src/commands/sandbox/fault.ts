import type { Command } from "../../command-line/command.ts";
import { adviceFor } from "../../command-line/nearest.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { jsonOption } from "../../options/row-options.ts";
import { openSandboxControl } from "../../options/sandbox-control.ts";
import { requiredServiceOptions } from "../../options/service-option.ts";
import { addFault, FAULT_NAMES, NAMED_FAULTS, removeFaults } from "./named-faults.ts";

export const fault: Command = {
  name: "fault",
  summary: "Break a sandbox on purpose, one fault at a time, or list the faults",
  positionals: ["fault"],
  positionalsOptional: true,
  options: {
    off: { description: "remove all faults and deliver webhooks as usual" },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit fault lose-webhook",
  async run({ positionals: [name], ...args }, terminal) {
    const off = args.flags.has("off");
    const isJson = args.flags.has("json");
    if (name === undefined && !off) {
      const width = Math.max(...FAULT_NAMES.map((known) => known.length));
      for (const [known, { text }] of Object.entries(NAMED_FAULTS))
        terminal.log(isJson ? JSON.stringify({ fault: known, text }) : `${known.padEnd(width)}  ${text}`);
      return;
    }
    const chosen = name === undefined ? null : chooseFault(name);
    const control = await openSandboxControl({ positionals: [], ...args });
    if (off) await removeFaults(control);
    if (chosen !== null) await addFault(control, chosen);
    const text = chosen?.text ?? "All faults are removed, and webhooks are delivered as usual.";
    terminal.log(isJson ? JSON.stringify({ fault: name ?? null, text }) : text);
  },
};

/** @throws UsageError that names the faults */
function chooseFault(name: string) {
  const found = Object.hasOwn(NAMED_FAULTS, name) ? NAMED_FAULTS[name] : undefined;
  if (found) return found;
  throw new UsageError(`There is no fault "${name}": ${adviceFor(name, FAULT_NAMES)}`);
}
