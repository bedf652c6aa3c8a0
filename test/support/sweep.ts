/**
 * Sweeps are the files `*.sweep.test.ts`: in `npm run test:slow` they take a sample, in `npm run test:exhaustive`, which sets this,
 * everything.
 */
export const exhaustive: boolean = process.env.EXHAUSTIVE === '1'

/** The number of rounds, runs or mutants: `sample` normally, `all` in an exhaustive run. */
export const amount = (sample: number, all: number): number => (exhaustive ? all : sample)
