import { describeInBrowser, type TestBrowser } from '../browser.js'
import { PeopleHost } from './people-host.js'
import { nameOf, type View } from './view.js'

/** What somebody does, from the first page to the last. */
export type Journey = (people: PeopleHost, browser: TestBrowser, view: View) => Promise<void>

/** Declares a suite in which somebody makes a journey, once for each way of looking. */
export function describeJourney(name: string, journey: Journey, views: readonly View[]): void {
  describeInBrowser(name, (browser) => {
    let people: PeopleHost
    before(async () => {
      people = await PeopleHost.start()
    })
    after(() => people.close())
    for (const view of views) it(`in ${nameOf(view)}`, () => journey(people, browser, view))
  })
}
