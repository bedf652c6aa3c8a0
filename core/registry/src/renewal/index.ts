export { renewalArea } from './area.js'
export { RenewEvidence } from './renew-evidence.js'
export { type RenewalOptions, RenewalSettings, renewalSettingsOf } from './renewal-settings.js'
export { RenewalState } from './renewal-state.js'
