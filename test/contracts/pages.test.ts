import { WebPages } from '@signed-registry/core'

import { webPagesContract } from '@signed-registry/core/contracts'
import { hold } from '../support/hold.js'
import type { TestHost } from '../support/host.js'
import { startPagesHost } from '../support/pages-host.js'

describe('the pages of the stock host, as WebPages', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())
  hold(
    webPagesContract({
      open: () => host.registry.get(WebPages),
      caller: () => ({ kind: 'person', iin: 'IIN900101300010' }),
    }),
  )
})
