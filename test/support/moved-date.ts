const MachineDate = Date

/** Replaces the time of `Date` in this process; answers a function that restores it. */
export function moveDate(now: () => number): () => void {
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  return () => {
    globalThis.Date = MachineDate
  }
}
