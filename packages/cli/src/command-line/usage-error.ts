/** The command line is invalid. The message is one sentence that says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
