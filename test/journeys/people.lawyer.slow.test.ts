import { describeJourney } from '../support/people/journey.js'
import { lawyer } from '../support/people/lawyer.js'
import { FEW_VIEWS } from '../support/people/view.js'

describeJourney('a lawyer verifies a document, by its file and by its evidence', lawyer, FEW_VIEWS)
