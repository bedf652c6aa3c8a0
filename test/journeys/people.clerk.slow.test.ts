import { clerk } from '../support/people/clerk.js'
import { describeJourney } from '../support/people/journey.js'
import { FEW_VIEWS } from '../support/people/view.js'

describeJourney('a clerk has a contract signed by the head and the counterparty', clerk, FEW_VIEWS)
