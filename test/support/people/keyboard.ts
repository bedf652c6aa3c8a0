import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'

/** More than any page has between its beginning and its end. */
const MOST_STOPS = 80

/** Goes with the Tab key until something has the focus, which can be seen. */
export async function tabTo(page: Page, to: Locator): Promise<void> {
  await to.waitFor()
  const isThere = () => to.evaluate((element) => element === element.ownerDocument.activeElement)
  for (let stops = 0; !(await isThere()); stops++) {
    if (stops > MOST_STOPS) throw new Error(`The Tab key does not lead to ${to}`)
    await page.keyboard.press('Tab')
  }
  // Of a field in a frame that shows the focus, the frame.
  const isSeen = await to.evaluate((element) => {
    const view = element.ownerDocument.defaultView
    for (let at: typeof element.parentElement = element; at !== null; at = at.parentElement)
      if (view?.getComputedStyle(at).outlineStyle !== 'none') return true
    return false
  })
  expect(isSeen, `the focus on ${to}`).to.equal(true)
}

/** Goes to something and presses it. */
export async function press(page: Page, what: Locator): Promise<void> {
  await tabTo(page, what)
  await page.keyboard.press('Enter')
}
