export { evidenceArea } from './area.js'
export { EvidenceLimits } from './limits.js'
export * from './ports.js'
