export { partiesArea } from './area.js'
export { organizationName, personName } from './names.js'
export { PartyNames } from './party-names.js'
