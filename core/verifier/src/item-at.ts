/** The item at a place that a list has, such as one that its caller counted; throws RangeError for any other. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${list.length}`)
  return item
}
