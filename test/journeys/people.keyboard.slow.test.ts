import { describeJourney } from '../support/people/journey.js'
import { keyboardOnly } from '../support/people/keyboard-only.js'
import { FEW_VIEWS } from '../support/people/view.js'

describeJourney('somebody without a mouse logs in, signs, and refuses with a reason', keyboardOnly, FEW_VIEWS)
