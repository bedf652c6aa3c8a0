import { describeJourney } from '../support/people/journey.js'
import { stranger } from '../support/people/stranger.js'
import { FEW_VIEWS } from '../support/people/view.js'

describeJourney('a stranger with a mail reads, signs and accepts, and the sender sees it', stranger, FEW_VIEWS)
