import { once } from "node:events";
import process from "node:process";

/** The output of a command: results on standard output, errors, notices and progress on standard error. */
export type Terminal = {
  log(text: string): void;
  error(text: string): void;
  /** Writes a notice or the progress to standard error. It is not an error: the command continues. */
  notice(text: string): void;
  /** Writes a part of a file to standard output, unchanged. Resolves when the stream can take the next part. */
  write(part: string): Promise<void>;
};

export const standardTerminal: Terminal = {
  log: (text) => console.log(text),
  error: (text) => console.error(text),
  notice: (text) => console.error(text),
  async write(part) {
    if (!process.stdout.write(part)) await once(process.stdout, "drain");
  },
};
