import { administrator } from '../support/people/administrator.js'
import { clerk } from '../support/people/clerk.js'
import { headWithPhone } from '../support/people/head-with-phone.js'
import { describeJourney } from '../support/people/journey.js'
import { keyboardOnly } from '../support/people/keyboard-only.js'
import { lawyer } from '../support/people/lawyer.js'
import { stranger } from '../support/people/stranger.js'
import { ALL_VIEWS, FEW_VIEWS } from '../support/people/view.js'
import { withoutScripts } from '../support/people/without-scripts.js'
import { exhaustive } from '../support/sweep.js'

/** What the other tests of people leave out. */
const OTHERS = ALL_VIEWS.filter(
  ({ language, width }) => !FEW_VIEWS.some((one) => one.language === language && one.width === width),
)
const VIEWS = exhaustive ? OTHERS : OTHERS.slice(0, 1)

for (const [who, journey] of Object.entries({
  ...{ stranger, clerk, headWithPhone, lawyer, administrator, keyboardOnly, withoutScripts },
}))
  describeJourney(`a journey of people (${who})`, journey, VIEWS)
