import { administrator } from '../support/people/administrator.js'
import { clerk } from '../support/people/clerk.js'
import { headWithPhone } from '../support/people/head-with-phone.js'
import { describeJourney } from '../support/people/journey.js'
import { keyboardOnly } from '../support/people/keyboard-only.js'
import { lawyer } from '../support/people/lawyer.js'
import { stranger } from '../support/people/stranger.js'
import { ALL_VIEWS, FEW_VIEWS } from '../support/people/view.js'
import { withoutScripts } from '../support/people/without-scripts.js'
import { amount } from '../support/sweep.js'

/** What the other tests of people leave out. */
const OTHERS = ALL_VIEWS.filter(
  ({ language, width }) => !FEW_VIEWS.some((one) => one.language === language && one.width === width),
)
const journeys = { stranger, clerk, headWithPhone, lawyer, administrator, keyboardOnly, withoutScripts }
const all = Object.entries(journeys)

for (const [who, journey] of all.slice(0, amount(1, all.length)))
  describeJourney(`a journey of people (${who})`, journey, OTHERS.slice(0, amount(1, OTHERS.length)))
