import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition holds that another part of the program brings about asynchronously. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10)
}
