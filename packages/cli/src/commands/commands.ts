import type { Command } from "../command.ts";
import { explain } from "./explain.ts";
import { sandbox } from "./sandbox.ts";

export const commands: readonly Command[] = [sandbox, explain];
