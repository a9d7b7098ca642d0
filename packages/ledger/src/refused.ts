/** Thrown inside a transaction so that nothing of it is kept; its answer is what the port says. */
export class Refused extends Error {
  readonly answer: "stale" | "taken";

  constructor(answer: "stale" | "taken") {
    super(`The change was refused: ${answer}.`);
    this.name = "Refused";
    this.answer = answer;
  }
}
