/** The item at an index; throws RangeError if there is none. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${list.length}`)
  return item
}
