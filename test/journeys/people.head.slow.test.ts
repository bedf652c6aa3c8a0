import { headWithPhone } from '../support/people/head-with-phone.js'
import { describeJourney } from '../support/people/journey.js'
import { FEW_VIEWS } from '../support/people/view.js'

describeJourney('a head signs by phone when it is their turn', headWithPhone, FEW_VIEWS)
