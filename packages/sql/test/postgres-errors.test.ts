import { describe, expect, it } from "vitest";
import { isRetryable, isUnanswered, isUsableAfter, toDatabaseError } from "../src/postgres/postgres-errors.ts";

/** An error as the server reports it. */
const reported = (code: string, severity = "ERROR") => Object.assign(new Error("reported"), { code, severity });
/** An error of the driver or of the system, which the server did not report. */
const unreported = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe("errors of PostgreSQL that say that it cannot answer now", () => {
  it.each([
    ["Connection terminated unexpectedly", undefined],
    ["Connection terminated", undefined],
    ["Client has encountered a connection error and is not queryable", undefined],
    ["read ECONNRESET", "ECONNRESET"],
    ["This socket has been ended by the other party", "EPIPE"],
    ["read ETIMEDOUT", "ETIMEDOUT"],
  ])("the lost connection %j is a database_lost, and is not used again", (message, code) => {
    const error = unreported(message, code);
    expect(toDatabaseError(error)).toMatchObject({ code: "database_lost", cause: error });
    expect(isUsableAfter(error)).toBe(false);
  });

  it.each(["57P01", "57P02", "57P03", "57P05", "25006", "25P03", "08006", "08P01", "08003"])(
    "a server that leaves with %s is a database_lost, and its connection is not used again",
    (code) => {
      expect(toDatabaseError(reported(code, "FATAL"))).toMatchObject({ code: "database_lost" });
      expect(isUsableAfter(reported(code))).toBe(false);
    },
  );

  it.each(["57014", "55P03", "53100", "53200", "53300", "40001", "40P01"])(
    "a statement that the server gave up with %s is a database_busy, and its connection is used again",
    (code) => {
      expect(toDatabaseError(reported(code))).toMatchObject({ code: "database_busy" });
      expect(isUsableAfter(reported(code))).toBe(true);
    },
  );

  it("a connection is not used again after the server has reported a fatal error on it", () => {
    expect(isUsableAfter(reported("53200", "FATAL"))).toBe(false);
    expect(isUsableAfter(reported("XX000", "PANIC"))).toBe(false);
  });

  it("a deadlock and a serialization failure are still repeated, and no other failure is", () => {
    for (const code of ["40001", "40P01"]) {
      expect(isRetryable(reported(code))).toBe(true);
      expect(isRetryable(toDatabaseError(reported(code)))).toBe(true);
    }
    for (const code of ["57014", "57P01", "55P03", "23505"])
      expect(isRetryable(toDatabaseError(reported(code)))).toBe(false);
  });

  it("a lost connection does not count as a commit that waits for a standby", () => {
    expect(isUnanswered(toDatabaseError(unreported("Connection terminated unexpectedly")))).toBe(false);
    expect(isUnanswered(toDatabaseError(unreported("Query read timeout")))).toBe(true);
  });

  it("an error about the statement itself stays as it is", () => {
    for (const error of [
      reported("23505"),
      reported("42P01"),
      unreported("a mistake of the program"),
      new TypeError("x"),
    ]) {
      expect(toDatabaseError(error)).toBe(error);
    }
  });
});
