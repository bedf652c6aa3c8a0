/** Ends when all that can go on by itself has done so: what did not wait for a statement has then begun the next one. */
export const everybodyElse = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
