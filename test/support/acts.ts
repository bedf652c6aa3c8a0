import type { Page } from 'playwright-core'

/** Opens what can be done with a document or package beside what is next. */
export const openActs = (page: Page): Promise<void> => page.locator('.more-acts > summary').click()
