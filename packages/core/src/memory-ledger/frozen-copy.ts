/** A deeply frozen copy of `value`, which is plain data without a `Uint8Array`. A frozen value counts as such a copy and is returned. */
export function frozenCopy<Value extends object>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  const copy: Value = Array.isArray(value) ? (value.slice() as unknown as Value) : { ...value };
  for (const name in copy) {
    const part = copy[name];
    if (typeof part === "object" && part !== null) copy[name] = frozenCopy(part);
  }
  return Object.freeze(copy);
}
