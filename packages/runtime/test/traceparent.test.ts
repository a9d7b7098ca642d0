import { expect, test } from "vitest";
import { formatTraceparent, parseTraceparent } from "../src/tracing/traceparent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

test("a position in a trace is written and read as the W3C writes it", () => {
  for (const flags of ["00", "01"]) {
    const text = `00-${TRACE}-${SPAN}-${flags}`;
    const read = parseTraceparent(text);
    expect(read).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
    expect(read && formatTraceparent(read)).toBe(text);
  }
});

test.each([
  undefined,
  "",
  `01-${TRACE}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
])("the header %s continues no trace", (text) => {
  expect(parseTraceparent(text)).toBeNull();
});
