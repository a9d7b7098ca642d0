/** A copy that nobody can change, of plain data without bytes. What is frozen is taken as it is: it came from here. */
export function frozenCopy<Value extends object>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  const copy: Value = Array.isArray(value) ? (value.slice() as unknown as Value) : { ...value };
  for (const name in copy) {
    const part = copy[name];
    if (typeof part === "object" && part !== null) copy[name] = frozenCopy(part);
  }
  return Object.freeze(copy);
}
