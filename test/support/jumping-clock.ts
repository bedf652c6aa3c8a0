import { moveDate } from './moved-date.js'

// Loaded into a host by `--import`: at SIGWINCH its clock jumps ahead by three days.
const THREE_DAYS = 3 * 24 * 60 * 60 * 1000
const { now } = Date
process.once('SIGWINCH', () => moveDate(() => now() + THREE_DAYS))
