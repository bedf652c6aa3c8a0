export { EvidenceAsicOptions, evidenceAsic } from './evidence-asic.js'
