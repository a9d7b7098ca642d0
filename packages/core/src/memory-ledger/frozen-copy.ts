/** A deeply frozen copy of plain data without bytes. A frozen value is returned as it is, because it is such a copy. */
export function frozenCopy<Value extends object>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  const copy: Value = Array.isArray(value) ? (value.slice() as unknown as Value) : { ...value };
  for (const name in copy) {
    const part = copy[name];
    if (typeof part === "object" && part !== null) copy[name] = frozenCopy(part);
  }
  return Object.freeze(copy);
}
