import { judging } from "./judging.ts";
import { keeping } from "./keeping.ts";
import type { Mutant } from "./mutant.ts";
import { opening } from "./opening.ts";
import { refunding } from "./refunding.ts";
import { signals } from "./signals.ts";
import { telling } from "./telling.ts";

export const allMutants: readonly Mutant[] = [...judging, ...telling, ...signals, ...opening, ...refunding, ...keeping];
