/**
 * Sweeps are the files `*.sweep.test.ts`: in `npm run test:sample` they take a sample, in `npm run test:exhaustive`, which sets this,
 * everything.
 */
export const exhaustive: boolean = process.env.EXHAUSTIVE === '1'

/** How much a sweep does: rounds, runs, mutants. */
export const amount = (sample: number, all: number): number => (exhaustive ? all : sample)
