/** What turns one JSON value into another. */
export type Change =
  | { readonly to: unknown }
  /** Of an object; `null` takes a field away. */
  | { readonly fields: Readonly<Record<string, Change | null>> }
  /** Of a list that keeps its length. */
  | { readonly items: Readonly<Record<string, Change>> }
  /** Of a list: from position `at`, `drop` items make room for those of `put`. */
  | { readonly at: number; readonly drop: number; readonly put: readonly unknown[] }

/** What changed between two JSON values; `undefined` when nothing did. */
export function difference(before: unknown, after: unknown): Change | undefined {
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(before, after)
  if (!isObject(before) || !isObject(after)) return before === after ? undefined : { to: after }
  const fields: Record<string, Change | null> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!Object.hasOwn(after, name)) fields[name] = null
    else if (!Object.hasOwn(before, name)) fields[name] = { to: after[name] }
    else {
      const change = difference(before[name], after[name])
      if (change !== undefined) fields[name] = change
    }
  }
  return Object.keys(fields).length === 0 ? undefined : { fields }
}

function listDifference(before: readonly unknown[], after: readonly unknown[]): Change | undefined {
  const same = (i: number, j: number) => difference(before[i], after[j]) === undefined
  if (before.length === after.length) {
    const items: Record<string, Change> = {}
    for (const [index, item] of before.entries()) {
      const change = difference(item, after[index])
      if (change !== undefined) items[index] = change
    }
    return Object.keys(items).length === 0 ? undefined : { items }
  }
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && same(at, at)) at++
  let kept = 0
  while (kept < shorter - at && same(before.length - 1 - kept, after.length - 1 - kept)) kept++
  return { at, drop: before.length - at - kept, put: after.slice(at, after.length - kept) }
}

/** The value that a change makes of one; neither is touched. `undefined` changes nothing. */
export function changed(before: unknown, change: Change | undefined): unknown {
  if (change === undefined) return before
  if ('to' in change) return change.to
  if ('fields' in change) {
    const after = new Map(isObject(before) ? Object.entries(before) : [])
    for (const [name, one] of Object.entries(change.fields)) {
      if (one === null) after.delete(name)
      else after.set(name, changed(after.get(name), one))
    }
    return Object.fromEntries(after)
  }
  const list: readonly unknown[] = Array.isArray(before) ? before : []
  if ('items' in change) return list.map((item, index) => changed(item, change.items[index]))
  return [...list.slice(0, change.at), ...change.put, ...list.slice(change.at + change.drop)]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
