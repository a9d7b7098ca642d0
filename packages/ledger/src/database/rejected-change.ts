/** Thrown inside a transaction to roll it back. `reason` is what `commit` returns. */
export class RejectedChange extends Error {
  readonly reason: "stale" | "taken";

  constructor(reason: "stale" | "taken") {
    super(`The change was rejected: ${reason}.`);
    this.name = "RejectedChange";
    this.reason = reason;
  }
}
