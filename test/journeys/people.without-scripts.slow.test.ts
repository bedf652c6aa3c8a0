import { describeJourney } from '../support/people/journey.js'
import { FEW_VIEWS } from '../support/people/view.js'
import { withoutScripts } from '../support/people/without-scripts.js'

describeJourney('somebody without scripts reads a document and where it stands', withoutScripts, FEW_VIEWS)
