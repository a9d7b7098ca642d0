import type { Command } from "../../command-line/command.ts";
import { parseDuration } from "../../command-line/parse-number.ts";
import { jsonOption } from "../../options/row-options.ts";
import { openSandboxControl, textOf } from "../../options/sandbox-control.ts";
import { requiredServiceOptions } from "../../options/service-option.ts";

export const clock: Command = {
  name: "clock",
  summary: "Show the clock of a sandbox, or move it forward",
  positionals: ["duration"],
  positionalsOptional: true,
  options: { ...requiredServiceOptions, ...jsonOption },
  example: "tillkit clock 90m",
  async run(args, terminal) {
    const [duration] = args.positionals;
    const advanceMs = duration === undefined ? null : parseDuration(duration);
    const control = await openSandboxControl(args);
    const answer = advanceMs === null ? await control("GET", "/clock") : await control("POST", "/clock", { advanceMs });
    const now = textOf(answer, "now");
    terminal.log(args.flags.has("json") ? JSON.stringify({ now }) : `The clock of the sandbox shows ${now}.`);
  },
};
