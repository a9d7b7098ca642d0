import { once } from "node:events";
import process from "node:process";

/** Where a command speaks: answers on standard output, trouble on standard error. */
export type Terminal = {
  log(text: string): void;
  error(text: string): void;
  /** A part of a file on standard output, as it is. Resolves when there is room for the next. */
  write(part: string): Promise<void>;
};

export const standardTerminal: Terminal = {
  log: (text) => console.log(text),
  error: (text) => console.error(text),
  async write(part) {
    if (!process.stdout.write(part)) await once(process.stdout, "drain");
  },
};
