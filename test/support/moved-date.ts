const MachineDate = Date

/** From now on everything in this process that asks the machine for the time is told another; answers how to end that. */
export function moveDate(now: () => number): () => void {
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  return () => {
    globalThis.Date = MachineDate
  }
}
