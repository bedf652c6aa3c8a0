import { setTimeout as pause } from 'node:timers/promises'

/** Waits for what another part of the program does in its own time. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10)
}
