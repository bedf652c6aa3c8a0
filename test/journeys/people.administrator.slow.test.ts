import { administrator } from '../support/people/administrator.js'
import { describeJourney } from '../support/people/journey.js'
import { FEW_VIEWS } from '../support/people/view.js'

describeJourney('an administrator gives rights and says how the organization looks', administrator, FEW_VIEWS)
