/** Runs work, and gives the longest time for which it let nobody else come: milliseconds of this process's own work. */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.cpuUsage()
  let isDone = false
  const watch = () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  try {
    await work()
  } finally {
    isDone = true
  }
  watch()
  return longest
}
