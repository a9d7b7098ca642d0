/** Ends a command that has printed everything already with a code of its own: `audit` found something (3). */
export class ExitCode extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
