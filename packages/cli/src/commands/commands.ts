import type { Command } from "../command.ts";
import { sandbox } from "./sandbox.ts";

export const commands: readonly Command[] = [sandbox];
