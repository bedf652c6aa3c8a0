import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PersonName } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { TEXTS } from '#pages/language.js'
import { violations } from '../axe.js'
import type { TestBrowser, WindowOptions } from '../browser.js'
import type { View } from './view.js'

/** Where pictures of every step go, to be looked at; none unless given. */
const { SCREENSHOTS } = process.env

/** What browsers write of a page that asks to log in. */
const LOGGED_OUT = /status of 401/

/** Somebody at a browser, in one language and at one width, who takes steps that are all looked at. */
export class Visitor {
  private steps = 0

  private constructor(
    private readonly journey: string,
    readonly page: Page,
    private readonly problems: readonly string[],
    readonly view: View,
    private readonly hasScripts: boolean,
  ) {}

  static async open(
    browser: TestBrowser,
    url: string,
    { journey, view, ...more }: { journey: string; view: View } & Omit<WindowOptions, 'language' | 'width'>,
  ): Promise<Visitor> {
    const { page, problems } = await browser.open(url, { ...view, ...more })
    return new Visitor(journey, page, problems, view, more.javaScript !== false)
  }

  /** The words of the pages in the visitor's language. */
  get texts() {
    return TEXTS[this.view.language]
  }

  get path(): string {
    return new URL(this.page.url()).pathname
  }

  /** The main part of the page. */
  get main(): Locator {
    return this.page.locator('main')
  }

  async go(address: string): Promise<void> {
    await this.page.goto(address)
  }

  /** A step is taken: what is seen now has nothing against it, is not wider than the window, and no script has failed. */
  async sees(step: string): Promise<void> {
    const { page, view, problems } = this
    const { language, width } = view
    // A click that leads elsewhere has ended when the answer begins.
    await page.waitForLoadState()
    const name = `${this.journey}-${String(++this.steps).padStart(2, '0')}-${step}-${language}-${width}`
    if (SCREENSHOTS !== undefined) {
      mkdirSync(SCREENSHOTS, { recursive: true })
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
    }
    expect(await page.locator('html').getAttribute('lang'), name).to.equal(language)
    expect(await page.locator('h1').count(), `${name}: headings`).to.equal(1)
    if (this.hasScripts) expect(await violations(page), name).to.deep.equal([])
    const overflow = this.hasScripts ? await page.evaluate('document.documentElement.scrollWidth - innerWidth') : 0
    expect(overflow, `${name}: wider than the window`).to.be.at.most(0)
    expect(
      problems.filter((problem) => !LOGGED_OUT.test(problem)),
      name,
    ).to.deep.equal([])
  }

  /** On the page that logs in, as a development person. */
  async logIn(person: PersonName): Promise<void> {
    await this.choose(person)
    await this.main.getByRole('button', { name: this.texts.login.submit }).click()
    await this.page.waitForURL((url) => url.pathname !== '/login')
  }

  /** The button of a page that signs. */
  get signButton(): Locator {
    return this.main.locator('#sign button.strong')
  }

  /** On a page that signs, once the way of signing is chosen: what it says then, or where it leads. */
  async signs(): Promise<void> {
    await this.signButton.click()
    await this.isSigned()
  }

  async isSigned(): Promise<void> {
    const said = this.main.locator('.said.good').first().waitFor()
    await Promise.race([said, this.page.waitForURL((url) => !url.pathname.endsWith('/sign'))])
    said.catch(() => undefined)
    await this.page.waitForLoadState()
  }

  /** Chooses a development person in a form that signs. */
  async choose(person: PersonName): Promise<void> {
    await this.page.check('#way-development')
    await this.page.locator(`#person option[value="${person}"]`).waitFor({ state: 'attached' })
    await this.page.selectOption('#person', person)
  }
}
